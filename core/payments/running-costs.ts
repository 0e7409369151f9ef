import type { Period } from "#core/billing/index.ts";
import type { Member } from "#core/organisations/index.ts";
import type { Uses } from "#core/services.ts";
import { readProjection } from "./projection.store.ts";
import { isLive, shownOf } from "./projection.ts";

/** What comes due at the end of each period, in cents, before tax and credit. */
export type RunningCost = { cents: number; period: Period };

/**
 * What the running subscription of each platform costs, as it was read last. Platforms without one are missing. Only the
 * owner learns of costs; for other members it is empty.
 */
export async function runningCosts(
  deps: Uses<"control">,
  member: Pick<Member, "organisationId" | "role">,
): Promise<ReadonlyMap<string, RunningCost>> {
  if (member.role !== "owner") return new Map();
  const { rows } = await readProjection(deps.control, member.organisationId);
  return new Map(
    [...new Set(rows.map(({ platform }) => platform))].flatMap((platform) => {
      const row = shownOf(platform, rows);
      if (!row || !isLive(row) || row.nextInvoiceCents === null) return [];
      return [[platform, { cents: row.nextInvoiceCents, period: row.period }] as const];
    }),
  );
}
