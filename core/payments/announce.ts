import { canonicalJson } from "#core/kernel/canonical-json.ts";
import type { LiveEvent } from "#core/live/events.schema.ts";
import type { CustomerFacts, RightRow, SubscriptionRow } from "./projection.store.ts";

/** What a sync found, or what was known before it. */
export type Reading = {
  facts: CustomerFacts | null;
  rows: readonly SubscriptionRow[];
  rights: readonly Pick<RightRow, "platform" | "plan" | "quantity" | "endsAt">[];
};

/**
 * The events that tell open screens what a sync changed: one for each platform whose subscription or right is another, and
 * for all bought platforms when the customer is another. None when nothing changed, so that a sync that finds nothing new,
 * as most do, disturbs nobody.
 */
export function changesOf(before: Reading, after: Reading): LiveEvent[] {
  const isOther = before.facts !== null && !isSame(before.facts, after.facts);
  const platforms = [
    ...new Set(
      [...before.rows, ...after.rows, ...before.rights, ...after.rights].map((each) => each.platform),
    ),
  ].sort();
  return platforms.flatMap((platform): LiveEvent[] => {
    const of = (reading: Reading) => ({
      rows: sorted(reading.rows.filter((row) => row.platform === platform)),
      right: reading.rights.find((right) => right.platform === platform) ?? null,
    });
    const [old, now] = [of(before), of(after)];
    const isChanged = isOther || !isSame(old.rows, now.rows) || !isSame(rightOf(old), rightOf(now));
    if (!isChanged) return [];
    const changed: LiveEvent[] = [{ method: "subscription-changed", platform }];
    if (old.right?.quantity !== now.right?.quantity)
      changed.push({ method: "updateDashboardPlatformItemsAmount", platform });
    return changed;
  });
}

const rightOf = ({ right }: { right: Reading["rights"][number] | null }) =>
  right && [right.plan, right.quantity, right.endsAt];

const sorted = (rows: readonly SubscriptionRow[]) => [...rows].sort((a, b) => (a.id < b.id ? -1 : 1));

/** Objects of the same fields compare by their values, in any order of the fields. */
function isSame(a: unknown, b: unknown): boolean {
  return canonicalJson(a) === canonicalJson(b);
}
