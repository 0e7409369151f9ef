import type { EntryRole } from "#connectors/contract/entry-role.ts";
import type { ManifestDifference } from "#core/vault/index.ts";
import type { PartVersion } from "./views.ts";

type State = PartVersion["state"];

/** What happened to a part between a version and the one before it. */
export type PartChange = "none" | "changed" | "appeared" | "vanished";

/**
 * What the differences of two versions did to a part, which is its own entry and all that belong to it.
 *
 * @param roleOf The role of an entry in the part's view.
 */
export async function changeOfPart(
  differences: AsyncIterable<ManifestDifference>,
  partId: string,
  roleOf: (entry: { path: string; kind: string }) => EntryRole | null,
): Promise<PartChange> {
  let change: PartChange = "none";
  for await (const { before, after } of differences) {
    const role = roleOf((after ?? before)!);
    if (role === null || role.role === "column") continue;
    if (role.role !== "part") {
      if (role.partId === partId) change = "changed";
    } else if (role.id === partId) {
      if (!before) return "appeared";
      if (!after) return "vanished";
      change = "changed";
    }
  }
  return change;
}

/**
 * The states of a part in a version that has it and in the ones before it, newest first.
 *
 * @param changes The change from the previous version to each version; null = it is the oldest.
 */
export function statesBack(changes: readonly (PartChange | null)[]): State[] {
  let has = true;
  return changes.map((change) => {
    const hadIt = has;
    if (change === "appeared") has = false;
    if (change === "vanished") has = true;
    return stateOf(hadIt, change);
  });
}

/**
 * The states of a part in the versions after one that has it, oldest first.
 *
 * @param changes The change from the previous version to each version.
 */
export function statesOnward(changes: readonly PartChange[]): State[] {
  let has = true;
  return changes.map((change) => {
    if (change === "appeared") has = true;
    if (change === "vanished") has = false;
    return stateOf(has, change);
  });
}

function stateOf(has: boolean, change: PartChange | null): State {
  if (!has) return "absent";
  return change === "none" ? "same" : "changed";
}
