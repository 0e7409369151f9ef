import { Hono } from "hono";
import type { StripeWorld } from "./state.ts";

/** The pages that Stripe hosts. */
export function pages(_: StripeWorld): Hono {
  return new Hono();
}
