import { z } from "zod";
import { AppError } from "#core/kernel/app-error.ts";
import type { Member } from "#core/organisations/index.ts";
import type { Uses } from "#core/services.ts";
import { afterChange, recordingFailure } from "./after.ts";
import { listOpenCommands, markCommand } from "./command.store.ts";
import { runCommand, STUCK_MS } from "./commands.ts";
import type { AskServices, PaymentServices, WriteServices } from "./deps.ts";
import { listOwed } from "./owed.ts";
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
  const action = { action: "cancel-subscription", platform: row.platform };
  await recordingFailure(deps, member, action, () =>
    runCommand(deps, { organisationId, kind: "cancel", params: { id: row.id } }, (key) =>
      deps.payments.setCancelling({ subscriptionId: row.id, isCancelling: true }, key),
    ),
  );
  await afterChange(deps, member, action);
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
  const action = { action: "resume-subscription", platform };
  await recordingFailure(deps, member, action, () =>
    runCommand(deps, { organisationId, kind: "resume", params: order }, (key) =>
      deps.payments.setCancelling(order, key),
    ),
  );
  await afterChange(deps, member, action);
}

/**
 * Ends a subscription at once whose payment failed or went back: it ends, and its open invoices are voided, so that
 * nothing is collected later (spec/README "B-172 and past-due customers").
 * @throws AppError `err.not.found`, `err.subscription.state`
 */
export async function endSubscription(
  deps: PaymentServices,
  member: Member,
  platform: string,
): Promise<void> {
  const row = await requireRow(deps, member.organisationId, platform);
  const isUnpaid = row.status === "past_due" || row.status === "unpaid";
  if (!isUnpaid && !(isLive(row) && row.moneyBackAt !== null)) throw new AppError("err.subscription.state");
  const action = { action: "end-subscription", platform };
  await recordingFailure(deps, member, action, () => endAtOnce(deps, row));
  await afterChange(deps, member, action);
}

/**
 * Ends a subscription and voids everything that it still owes: a debt of two periods is two invoices. Done again, it
 * changes nothing.
 */
export async function endAtOnce(deps: WriteServices, row: SubscriptionRow): Promise<void> {
  const { organisationId } = row;
  const { customer } = await readProjection(deps.control, organisationId);
  if (!customer) throw new AppError("err.not.found");
  await runCommand(deps, { organisationId, kind: "end", params: { id: row.id } }, async (key) => {
    await deps.payments.endSubscription(row.id, `${key}:end`);
    await voidOwed(deps, { customerId: customer.stripeCustomerId, subscriptionId: row.id }, key);
  });
}

async function voidOwed(
  deps: Uses<"payments">,
  { customerId, subscriptionId }: { customerId: string; subscriptionId: string },
  key: string,
): Promise<void> {
  for (const { id } of await listOwed(deps, customerId, subscriptionId))
    await deps.payments.voidInvoice(id, `${key}:void:${id}`);
}

const endSchema = z.object({ id: z.string() });

/**
 * Goes on with ends that died after the subscription had ended: nobody may pay what it owed. One that had not reached the
 * provider is dropped, because its owner saw it fail and may have paid since.
 */
export async function finishEnds(deps: AskServices, organisationId: string): Promise<void> {
  const stuck = deps.clock.now() - STUCK_MS;
  const ends = (await listOpenCommands(deps.control, organisationId)).filter(
    ({ kind, createdAt }) => kind === "end" && createdAt <= stuck,
  );
  if (ends.length === 0) return;
  const { customer } = await readProjection(deps.control, organisationId);
  if (!customer) return;
  for (const { id, paramsJson } of ends) {
    const { id: subscriptionId } = endSchema.parse(JSON.parse(paramsJson));
    const { state } = await deps.payments.readPurchase(subscriptionId);
    const isEnded = state === "canceled";
    if (isEnded) await voidOwed(deps, { customerId: customer.stripeCustomerId, subscriptionId }, id);
    await markCommand(deps.control, { id, state: isEnded ? "done" : "failed" });
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
