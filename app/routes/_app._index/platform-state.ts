import type { Overview, OverviewCounts, PlatformOverview } from "#core/overview/views.ts";

/** The server names at most this many items that need attention. */
const ATTENTION_ROWS = 6;

/** The counts of all platforms together. */
export function sumCounts(platforms: readonly PlatformOverview[]): OverviewCounts {
  const sum = { all: 0, fresh: 0, older: 0, never: 0, paused: 0, deleted: 0 };
  for (const { counts } of platforms) {
    for (const name of Object.keys(sum) as (keyof OverviewCounts)[]) sum[name] += counts[name];
  }
  return sum;
}

/** Items that fail now. */
export function failingNow({ days }: PlatformOverview): number {
  return days.at(-1)?.failing ?? 0;
}

/** True when somebody should look at the platform. */
export function isInTrouble(platform: PlatformOverview): boolean {
  return (
    platform.accounts.some(({ isRevoked }) => isRevoked) ||
    failingNow(platform) > 0 ||
    platform.counts.older > 0
  );
}

/** How many items need attention, as text; "6+" when there may be more than the server names. */
export function attentionCount({ attention }: Overview): string {
  return attention.length < ATTENTION_ROWS ? String(attention.length) : `${ATTENTION_ROWS}+`;
}

/** Items that have a version. */
export const backedUpOf = ({ all, never }: OverviewCounts): number => all - never;
