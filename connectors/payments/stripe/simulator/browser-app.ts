import { Hono } from "hono";
import type { StripeWorld } from "./state.ts";

/** The stand-in for Stripe.js, and what its dialogs call. */
export function browserApp(_: StripeWorld): Hono {
  return new Hono();
}
