import { z } from "zod";
import { AppError } from "#core/kernel/app-error.ts";
import type { Member } from "#core/organisations/index.ts";
import type { Uses } from "#core/services.ts";
import { afterChange } from "./after.ts";
import { listOpenCommands, markCommand } from "./command.store.ts";
import { runCommand, STUCK_MS } from "./commands.ts";
import type { PaymentServices, SyncServices } from "./deps.ts";
import { readProjection, type SubscriptionRow } from "./projection.store.ts";
import { isLive, shownOf } from "./projection.ts";

/**
 * Cancels one subscription at the end of its paid period (spec B-172 to B-175). @returns when it ends
 * @throws AppError `err.not.found`, `err.subscription.state`
 */
export async function cancelSubscription(
  deps: PaymentServices,
  member: Member,
  platform: string,
): Promise<number | null> {
  const row = await requireRow(deps, member.organisationId, platform);
  if (row.status !== "active" || row.cancelAt !== null) throw new AppError("err.subscription.state");
  await cancel(deps, member, row);
  return (await requireRow(deps, member.organisationId, platform)).cancelAt ?? row.periodEnd;
}

async function cancel(deps: PaymentServices, member: Member, row: SubscriptionRow): Promise<void> {
  const { organisationId } = member;
  await runCommand(deps, { organisationId, kind: "cancel", params: { id: row.id } }, (key) =>
    deps.payments.setCancelling({ subscriptionId: row.id, isCancelling: true }, key),
  );
  await afterChange(deps, member, { action: "cancel-subscription", platform: row.platform });
}

/** Cancels every active subscription (spec B-254). One that fails does not stop the others. */
export async function cancelAllSubscriptions(
  deps: PaymentServices,
  member: Member,
): Promise<{ platform: string; endsAt: number | null; message: string | null }[]> {
  const { rows } = await readProjection(deps.control, member.organisationId);
  const active = rows.filter(({ status, cancelAt }) => status === "active" && cancelAt === null);
  const results = [];
  for (const row of active) {
    const { platform } = row;
    try {
      await cancel(deps, member, row);
      results.push({ platform, endsAt: row.periodEnd, message: null });
    } catch (cause) {
      if (!(cause instanceof AppError)) throw cause;
      results.push({ platform, endsAt: null, message: cause.message });
    }
  }
  return results;
}

/**
 * Takes a cancellation back while the paid period runs. @throws AppError `err.not.found`, `err.subscription.state`
 */
export async function resumeSubscription(
  deps: PaymentServices,
  member: Member,
  platform: string,
): Promise<void> {
  const { organisationId } = member;
  const row = await requireRow(deps, organisationId, platform);
  if (!isLive(row) || row.cancelAt === null) throw new AppError("err.subscription.state");
  const order = { subscriptionId: row.id, isCancelling: false as const, byDate: row.isCancelledByDate };
  await runCommand(deps, { organisationId, kind: "resume", params: order }, (key) =>
    deps.payments.setCancelling(order, key),
  );
  await afterChange(deps, member, { action: "resume-subscription", platform });
}

/**
 * Ends a subscription whose payment failed at once: it ends, and its open invoice is voided, so that nothing is collected
 * later (spec/README "B-172 and past-due customers").
 * @throws AppError `err.not.found`, `err.subscription.state`
 */
export async function endSubscription(
  deps: PaymentServices,
  member: Member,
  platform: string,
): Promise<void> {
  const row = await requireRow(deps, member.organisationId, platform);
  if (row.status !== "past_due" && row.status !== "unpaid") throw new AppError("err.subscription.state");
  await endAtOnce(deps, row);
  await afterChange(deps, member, { action: "end-subscription", platform });
}

/** Ends a subscription and voids what it still owes. Done again, it changes nothing. */
export async function endAtOnce(deps: PaymentServices, row: SubscriptionRow): Promise<void> {
  const { organisationId } = row;
  const order = { id: row.id, invoiceId: row.latestInvoiceId };
  await runCommand(deps, { organisationId, kind: "end", params: order }, async (key) => {
    await deps.payments.endSubscription(row.id, `${key}:end`);
    await voidOwed(deps, order, key);
  });
}

async function voidOwed(
  deps: Uses<"payments">,
  { invoiceId }: { invoiceId: string | null },
  key: string,
): Promise<void> {
  if (invoiceId === null) return;
  const invoice = await deps.payments.readInvoice(invoiceId);
  if (invoice.state === "open" || invoice.state === "uncollectible")
    await deps.payments.voidInvoice(invoice.id, `${key}:void`);
}

const endSchema = z.object({ id: z.string(), invoiceId: z.string().nullable().default(null) });

/**
 * Goes on with ends that died after the subscription had ended: nobody may pay what it owed. One that had not reached the
 * provider is dropped, because its owner saw it fail and may have paid since.
 */
export async function finishEnds(deps: SyncServices, organisationId: string): Promise<void> {
  const now = deps.clock.now();
  for (const { id, kind, paramsJson, createdAt } of await listOpenCommands(deps.control, organisationId)) {
    if (kind !== "end" || createdAt + STUCK_MS > now) continue;
    const order = endSchema.parse(JSON.parse(paramsJson));
    const { state } = await deps.payments.readPurchase(order.id);
    if (state === "canceled") await voidOwed(deps, order, id);
    await markCommand(deps.control, { id, state: state === "canceled" ? "done" : "failed" });
  }
}

async function requireRow(
  deps: Uses<"control">,
  organisationId: string,
  platform: string,
): Promise<SubscriptionRow> {
  const { rows } = await readProjection(deps.control, organisationId);
  const row = shownOf(platform, rows);
  if (!row) throw new AppError("err.not.found");
  return row;
}
