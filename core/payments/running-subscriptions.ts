import type { Period } from "#core/billing/index.ts";
import type { Member } from "#core/organisations/index.ts";
import type { Uses } from "#core/services.ts";
import { readProjection } from "./projection.store.ts";
import { isLive, shownOf } from "./projection.ts";

/** A subscription that runs. */
export type RunningSubscription = {
  /** When it renews by itself; null: it was cancelled or is not paid, so it ends with its right. Epoch ms. */
  renewsAt: number | null;
  /** What comes due then, in cents, before tax and credit; null for members who are not the owner. */
  cost: { cents: number; period: Period } | null;
};

/** The running subscription of each platform, as it was read last. Platforms without one are missing. */
export async function runningSubscriptions(
  deps: Uses<"control">,
  { organisationId, role }: Pick<Member, "organisationId" | "role">,
): Promise<ReadonlyMap<string, RunningSubscription>> {
  const { rows } = await readProjection(deps.control, organisationId);
  return new Map(
    [...new Set(rows.map(({ platform }) => platform))].flatMap((platform) => {
      const row = shownOf(platform, rows);
      if (!row || !isLive(row)) return [];
      const { nextInvoiceCents: cents, period, status, cancelAt, periodEnd } = row;
      return [
        [
          platform,
          {
            renewsAt: status === "active" && cancelAt === null ? periodEnd : null,
            cost: role === "owner" && cents !== null ? { cents, period } : null,
          },
        ] as const,
      ];
    }),
  );
}
