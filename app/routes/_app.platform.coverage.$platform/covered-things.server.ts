import { type Coverage, type CoveredThing, fieldNames } from "#connectors/contract/coverage.ts";

/** What becomes of a field: kept and restored, kept only, or not kept. */
export type Fate = "restored" | "kept" | "left";

/** Fields with a common fate and reason, in words. `because` = null where nothing needs a reason. */
type FateGroup = { fate: Fate; fields: string[]; because: string | null };
type CountByFate = Readonly<Record<Fate, number>>;
export type ShownThing = { name: string; groups: FateGroup[]; counts: CountByFate };

/** A platform's coverage as the page shows it. */
export function coveredThings(coverage: Coverage): ShownThing[] {
  return coverage.map((thing) => {
    const groups = groupsOf(thing);
    return { name: thing.name, groups, counts: countFields(groups) };
  });
}

function groupsOf({ restored = "", kept = [], left = [] }: CoveredThing): FateGroup[] {
  const groups: FateGroup[] = [
    { fate: "restored", fields: words(restored), because: null },
    ...kept.map(({ fields, because }) => ({ fate: "kept" as const, fields: words(fields), because })),
    ...left.map(({ fields, because }) => ({ fate: "left" as const, fields: words(fields), because })),
  ];
  return groups.filter(({ fields }) => fields.length > 0);
}

function countFields(groups: readonly FateGroup[]): CountByFate {
  const counts = { restored: 0, kept: 0, left: 0 };
  for (const { fate, fields } of groups) counts[fate] += fields.length;
  return counts;
}

/** The names of fields as words: `state_reason` and `stateReason` are "state reason". */
function words(fields: string): string[] {
  return fieldNames(fields).map((name) =>
    name
      .replace(/([a-z])([A-Z])/g, "$1 $2")
      .replaceAll("_", " ")
      .trim()
      .toLowerCase(),
  );
}
