import { createHash } from "node:crypto";
import { StripeFault } from "./errors.ts";
import type { FormValue } from "./form.ts";
import type { StripeWorld } from "./state.ts";
import { clockNow } from "./store.ts";

const KEPT_SECONDS = 86_400;

/** What two requests with one key must have in common. */
export function fingerprintOf(method: string, pathname: string, form: Record<string, FormValue>): string {
  const sorted = (value: FormValue): unknown =>
    typeof value === "string"
      ? value
      : Array.isArray(value)
        ? value.map(sorted)
        : Object.entries(value)
            .sort(([one], [other]) => (one < other ? -1 : 1))
            .map(([name, inner]) => [name, sorted(inner)]);
  return createHash("sha256")
    .update(JSON.stringify([method, pathname, sorted(form)]))
    .digest("hex");
}

/**
 * The saved answer of a key, whatever it was; null when the key is new or older than a day
 * (docs.stripe.com/api/idempotent_requests).
 * @throws StripeFault 400 `idempotency_error` for other parameters
 */
export function recall(
  world: StripeWorld,
  key: string | null,
  fingerprint: string,
): { status: number; body: string } | null {
  const saved = key === null ? undefined : world.state.keys[key];
  if (key === null || !saved) return null;
  if (clockNow(world) - saved.at >= KEPT_SECONDS) {
    delete world.state.keys[key];
    return null;
  }
  if (saved.fingerprint !== fingerprint) {
    throw new StripeFault(400, {
      type: "idempotency_error",
      message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
    });
  }
  return { status: saved.status, body: saved.body };
}

/** Saves an answer under its key, a failure as well. */
export function remember(
  world: StripeWorld,
  key: string | null,
  { fingerprint, status, body }: { fingerprint: string; status: number; body: string },
): void {
  if (key !== null) world.state.keys[key] = { at: clockNow(world), fingerprint, status, body };
}
