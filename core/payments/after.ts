import { recordAction } from "#core/audit/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import type { ErrorCode } from "#core/kernel/error-codes.ts";
import type { Member } from "#core/organisations/index.ts";
import type { Uses } from "#core/services.ts";
import type { PaymentServices } from "./deps.ts";
import { syncQuietly } from "./sync-customer.ts";

/** What somebody did about money, in the words of the audit trail. */
export type MoneyAction = {
  action: string;
  platform?: string;
  subject?: string;
  occasion?: string;
  outcome?: "success" | "failed";
};

/**
 * Reads the new state after a write, and records who did it. A sync that fails is repeated by the cron: what was paid is
 * never lost by it.
 */
export async function afterChange(deps: PaymentServices, member: Member, action: MoneyAction): Promise<void> {
  await record(deps, member, action);
  await syncQuietly(deps, member.organisationId);
}

/** What the provider or the bank refused, or did not answer. What we refuse ourselves was never tried. */
const TRIED: ReadonlySet<ErrorCode> = new Set([
  "err.payment.failed",
  "err.payment.unavailable",
  "err.company.tax",
]);

/** Does a write; one that the provider refuses is recorded as failed. @throws what `work` throws */
export async function recordingFailure<T>(
  deps: Uses<"clock" | "control" | "ids">,
  member: Member,
  action: MoneyAction,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof AppError && TRIED.has(cause.code))
      await record(deps, member, { ...action, outcome: "failed" });
    throw cause;
  }
}

async function record(
  deps: Uses<"clock" | "control" | "ids">,
  member: Member,
  action: MoneyAction,
): Promise<void> {
  await recordAction(deps, {
    organisationId: member.organisationId,
    userId: member.userId,
    userName: member.name,
    ...action,
  });
}
