import { PaymentError } from "#connectors/contract/payment-provider.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { HOUR_MS, MINUTE_MS } from "#core/kernel/clock.ts";
import type { Uses } from "#core/services.ts";
import { insertCommand, markCommand } from "./command.store.ts";
import { wantSync } from "./projection.store.ts";

/**
 * A key may be sent again for this long: the provider keeps answers for at least a day
 * (docs.stripe.com/api/idempotent_requests).
 */
export const KEY_LIFE_MS = 20 * HOUR_MS;
/** A command that has not ended after this time died; the cron reads what became of it. */
export const STUCK_MS = 2 * MINUTE_MS;

/**
 * Does a write that locks no platform: stores it with its key, sends it, and asks for a sync. If the invocation dies in
 * between, the cron finds the open command and reads what became of it.
 *
 * @throws AppError `err.payment.unavailable`, `err.payment.failed`
 */
export async function runCommand<T>(
  deps: Uses<"clock" | "control" | "ids">,
  { organisationId, kind, params }: { organisationId: string; kind: string; params: unknown },
  send: (key: string) => Promise<T>,
): Promise<T> {
  const id = deps.ids.next("command");
  await insertCommand(deps.control, {
    id,
    organisationId,
    platform: null,
    kind,
    paramsJson: JSON.stringify(params),
    state: "open",
    stripeId: null,
    createdAt: deps.clock.now(),
  });
  try {
    const answer = await send(id);
    await wantSync(deps.control, organisationId);
    await markCommand(deps.control, { id, state: "done" });
    return answer;
  } catch (cause) {
    // Of a request without an answer nobody knows whether it was done, so the command stays open.
    if (isAnswered(cause)) await markCommand(deps.control, { id, state: "failed" });
    throw shown(cause);
  }
}

/** True when the provider said no: the write was not done. */
export function isAnswered(cause: unknown): boolean {
  return cause instanceof PaymentError && ["declined", "refused", "missing"].includes(cause.kind);
}

/** The error to show. The provider's own sentence is shown for what it refused (spec B-271, B-272). */
export function shown(cause: unknown): unknown {
  if (!(cause instanceof PaymentError)) return cause;
  switch (cause.kind) {
    case "declined":
    case "refused":
      return cause.message === ""
        ? new AppError("err.payment.failed", { cause })
        : new AppError("err.payment.failed", { message: cause.message.slice(0, 300), cause });
    case "missing":
      return new AppError("err.not.found", { cause });
    default:
      return new AppError("err.payment.unavailable", { cause });
  }
}

/** Reads from the provider for a person. @throws AppError */
export async function asking<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (cause) {
    throw shown(cause);
  }
}
