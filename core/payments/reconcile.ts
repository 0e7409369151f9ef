import { DAY_MS } from "#core/kernel/clock.ts";
import { logger } from "#core/kernel/logger.ts";
import { finishEnds } from "./cancel.ts";
import { STUCK_MS } from "./commands.ts";
import type { SyncServices } from "./deps.ts";
import { pruneEvents } from "./event.store.ts";
import { finishOwnerEmails } from "./owner-email.ts";
import { listDueCustomers, postponeSync } from "./projection.store.ts";
import { finishReplacements } from "./replaced-invoices.ts";
import { logUnread, syncCustomer } from "./sync-customer.ts";

const log = logger("payments");

/** Customers per tick. */
const AT_ONCE = 20;
/** Events are repeated for three days (docs.stripe.com/webhooks#retries); after a month none comes again. */
const EVENTS_KEPT_MS = 30 * DAY_MS;

/**
 * Every minute: reads the customers with an event or a command that no sync has served, and each live subscription once a
 * day, so that a lost event costs a day at most. Customers that cannot be read do not stop the others: they are tried
 * again later and later.
 */
export async function reconcilePayments(deps: SyncServices): Promise<void> {
  const now = deps.clock.now();
  const due = await listDueCustomers(deps.control, {
    before: now - DAY_MS,
    stuck: now - STUCK_MS,
    now,
    limit: AT_ONCE,
  });
  for (const organisationId of due) {
    await finishEnds(deps, organisationId).catch((cause: unknown) =>
      log.error("An end of {organisationId} could not be finished", { organisationId, cause }),
    );
    await finishReplacements(deps, organisationId).catch((cause: unknown) =>
      log.error("Replaced invoices of {organisationId} could not be voided", { organisationId, cause }),
    );
    await finishOwnerEmails(deps, organisationId).catch((cause: unknown) =>
      log.error("The address of {organisationId} could not be set", { organisationId, cause }),
    );
    await syncCustomer(deps, organisationId).catch(async (cause: unknown) => {
      logUnread(organisationId, cause);
      await postponeSync(deps.control, { organisationId, now });
    });
  }
}

/** Every hour: forgets events that cannot come again. */
export async function prunePaymentEvents(deps: Pick<SyncServices, "clock" | "control">): Promise<void> {
  await pruneEvents(deps.control, deps.clock.now() - EVENTS_KEPT_MS);
}
