import { itemsCopy as copy } from "#app/copy/items.ts";
import { countText } from "#app/format/counts.ts";
import { spokenDuration } from "#app/format/duration.ts";
import type { PlatformDescriptor, RoundCost } from "#connectors/contract/descriptor.ts";

/** A shorter round is over before anybody asks how long it takes. */
const WORTH_TELLING_MS = 60_000;

/** So many items of one kind. */
type Counted = { kind: string; count: number };

/**
 * How long a round of daily backups of these items takes at the least, in ms: a quota lets through only so many requests.
 * Null where the platform declares no quota that binds, and where it declares nothing about any of the items.
 */
export function roundLengthMs(
  { rounds }: Pick<PlatformDescriptor, "rounds">,
  items: readonly Counted[],
): number | null {
  if (rounds === undefined) return null;
  const requests = items.reduce((sum, { kind, count }) => sum + count * requestsOfDay(rounds, kind), 0);
  return requests === 0 ? null : (requests / rounds.requests) * rounds.perMs;
}

/** The mean number of requests for one item in one round: the reading of everything is spread over the days. */
function requestsOfDay({ kinds }: RoundCost, kind: string): number {
  const cost = kinds[kind];
  return cost === undefined ? 0 : (cost.changes * (cost.wholeDays - 1) + cost.whole) / cost.wholeDays;
}

/** The length of an account's round in words; null = there is nothing worth telling. */
export function roundText(
  descriptor: Pick<PlatformDescriptor, "rounds" | "itemKinds">,
  items: readonly Counted[],
): string | null {
  const length = roundLengthMs(descriptor, items);
  if (length === null || length < WORTH_TELLING_MS) return null;
  const counts = descriptor.itemKinds.flatMap(({ id, one, many }) => {
    const count = items.reduce((sum, item) => (item.kind === id ? sum + item.count : sum), 0);
    return count === 0 ? [] : [countText(count, one, many)];
  });
  return copy.round(counts.join(" and "), spokenDuration(length));
}
