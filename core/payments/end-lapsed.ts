import { logger } from "#core/kernel/logger.ts";
import { endAtOnce } from "./cancel.ts";
import { runCommand } from "./commands.ts";
import type { PaymentServices, WriteServices } from "./deps.ts";
import { isAccountClosed } from "./owner.store.ts";
import { readProjection, type SubscriptionRow } from "./projection.store.ts";
import { isOpen } from "./projection.ts";
import { syncCustomer } from "./sync-customer.ts";

const log = logger("payments");

/**
 * Whether the platform's subscriptions agree that its right is over. They do not when one is active although its period
 * ended long ago, or is paused, which we never do: somebody must look at it.
 */
export async function isLapseClear(
  deps: Pick<WriteServices, "control">,
  { organisationId, platform }: { organisationId: string; platform: string },
): Promise<boolean> {
  const { rows } = await readProjection(deps.control, organisationId);
  return !rows.some(
    (row) =>
      row.platform === platform &&
      (row.status === "paused" ||
        ((row.status === "active" || row.status === "trialing") && row.dueAt === null)),
  );
}

/**
 * Ends what is left of a platform's subscriptions after its right is over, and voids what they owe, so that nothing is
 * collected for backups that are gone (reference: billing.md 3). The caller has just synced. It may stop at any point and
 * be repeated.
 *
 * @returns `paid` when an invoice was paid since the sync. Of a subscription that was ended in the same moment, somebody
 * must refund the payment.
 * @throws AppError `err.payment.unavailable`, `err.payment.failed`
 */
export async function endLapsed(
  deps: WriteServices,
  { organisationId, platform }: { organisationId: string; platform: string },
): Promise<"ended" | "paid"> {
  const { rows } = await readProjection(deps.control, organisationId);
  for (const row of rows.filter((each) => each.platform === platform && isLeft(each))) {
    if (await isPaidSince(deps, row)) return "paid";
    try {
      if (isOpen(row)) await endAtOnce(deps, row);
      else await voidLatest(deps, row);
    } catch (cause) {
      if (!(await isPaidSince(deps, row))) throw cause;
    }
    if (await isPaidSince(deps, row)) {
      log.error("Invoice {invoice} was paid while subscription {id} was being ended: refund it", {
        invoice: row.latestInvoiceId,
        id: row.id,
      });
      return "paid";
    }
  }
  return "ended";
}

/** A payment that crosses the end needs a second pass; more than that never came up. */
const MOST_PASSES = 3;

/**
 * Ends every subscription of an organisation at once, and voids what they owe, because its account is closed. It may stop at
 * any point and be repeated.
 *
 * @returns true when nothing runs any more
 * @throws PaymentError, AppError when the provider cannot be asked
 */
export async function endEverything(deps: PaymentServices, organisationId: string): Promise<boolean> {
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    const read = await syncCustomer(deps, organisationId);
    if (read === "no customer") return true;
    const { rows } = await readProjection(deps.control, organisationId);
    const left = rows.filter(isLeft);
    if (left.length === 0) return read === "synced";
    for (const platform of new Set(left.map((row) => row.platform))) {
      // The owner opened the account again meanwhile, and what runs was bought anew.
      if (!(await isAccountClosed(deps.control, organisationId))) return false;
      await endLapsed(deps, { organisationId, platform });
    }
  }
  return false;
}

const owes = ({ latestInvoiceStatus }: SubscriptionRow) =>
  latestInvoiceStatus === "open" || latestInvoiceStatus === "uncollectible";

/** May still come to life, or was ended and still owes: the invocation that ended it died before it voided the invoice. */
const isLeft = (row: SubscriptionRow) => isOpen(row) || (row.status === "canceled" && owes(row));

async function isPaidSince(deps: Pick<WriteServices, "payments">, row: SubscriptionRow): Promise<boolean> {
  if (row.latestInvoiceId === null || !owes(row)) return false;
  return (await deps.payments.readInvoice(row.latestInvoiceId)).state === "paid";
}

async function voidLatest(deps: WriteServices, { organisationId, latestInvoiceId }: SubscriptionRow) {
  if (latestInvoiceId === null) return;
  await runCommand(deps, { organisationId, kind: "void", params: { id: latestInvoiceId } }, (key) =>
    deps.payments.voidInvoice(latestInvoiceId, key),
  );
}
