import type { SQL } from "drizzle-orm";
import { sha256Hex } from "#core/kernel/crypto.ts";
import type { Uses } from "#core/services.ts";
import { listOpenCommands, markCommand } from "./command.store.ts";
import { isAnswered } from "./commands.ts";
import type { AskServices } from "./deps.ts";
import { OWNER_EMAIL } from "./order.ts";
import { findOwnerEmail, insertOwnerEmail } from "./owner.store.ts";
import { readProjection } from "./projection.store.ts";

/** An owner who changes more often than this while we write is left to the cron. */
const MOST_TURNS = 3;

/**
 * The statement that orders the payment provider to write to the organisation's owner, for the batch that changes who that
 * is. `finishOwnerEmails` carries it out afterwards.
 */
export function orderOwnerEmail(
  deps: Uses<"clock" | "control" | "ids">,
  organisationId: string,
  when: SQL,
): ReturnType<typeof insertOwnerEmail> {
  const id = deps.ids.next("command");
  return insertOwnerEmail(deps.control, { id, organisationId, now: deps.clock.now() }, when);
}

/**
 * Carries out what was ordered: at once, and in the cron when that died. The command names no address. The one of the owner
 * of today is sent, and after it was sent the owner is read again: so of two handovers, whose requests may arrive in any order,
 * the newer owner's address stays. An address that is set again is the same address, so each request has a key of its own.
 *
 * @throws PaymentError when the provider cannot be asked; the cron tries again
 */
export async function finishOwnerEmails(deps: AskServices, organisationId: string): Promise<void> {
  const open = (await listOpenCommands(deps.control, organisationId)).filter(
    ({ kind }) => kind === OWNER_EMAIL,
  );
  if (open.length === 0) return;
  const { customer } = await readProjection(deps.control, organisationId);
  // It is being created. The cron comes back when it is there.
  if (!customer) return;
  for (const { id } of open) {
    try {
      if (await writeTo(deps, { organisationId, customerId: customer.stripeCustomerId, key: id }))
        await markCommand(deps.control, { id, state: "done" });
    } catch (cause) {
      if (isAnswered(cause)) await markCommand(deps.control, { id, state: "failed" });
      throw cause;
    }
  }
}

/** True when the address that was sent last is the owner's. */
async function writeTo(
  deps: AskServices,
  { organisationId, customerId, key }: { organisationId: string; customerId: string; key: string },
): Promise<boolean> {
  let email = await findOwnerEmail(deps.control, organisationId);
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    if (email === null) return true;
    const sent = email;
    const which = `${deps.clock.now()}:${turn}:${(await sha256Hex(sent)).slice(0, 16)}`;
    await deps.payments.setEmail(customerId, sent, `${key}:${which}`);
    email = await findOwnerEmail(deps.control, organisationId);
    if (email === sent) return true;
  }
  return false;
}
