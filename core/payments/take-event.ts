import type { Uses } from "#core/services.ts";
import { insertEvent } from "./event.store.ts";
import { findOrganisation } from "./projection.store.ts";

/**
 * Takes an event of the provider: records its id and asks for a sync, in one batch. A repeated event changes nothing.
 *
 * @returns The organisation to sync now; null when there is nothing to do
 * @throws PaymentError `forged`, `malformed`
 */
export async function takeEvent(
  deps: Uses<"clock" | "control" | "payments">,
  body: string,
  signature: string,
): Promise<string | null> {
  const { id, type, customerId } = await deps.payments.readEvent(body, signature);
  const isNew = await insertEvent(deps.control, { id, type, customerId, now: deps.clock.now() });
  return isNew && customerId !== null ? findOrganisation(deps.control, customerId) : null;
}
