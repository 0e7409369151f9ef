import { z } from "zod";
import type { PlatformConnector } from "#connectors/contract/platform-connector.ts";
import type { RestorePlan } from "#connectors/contract/restore-plan.ts";

/** Counts by kind, as the journal of a restore keeps them. */
export const heldSchema = z.record(z.string(), z.number());

/**
 * How much of each kind that a restore creates is in the version: as its manifest counts it, else as the plan does. A
 * kind whose number is only estimated, or that the restore makes up, is left out.
 */
export function heldCounts(
  { entryKinds, restoredKinds }: Pick<PlatformConnector, "entryKinds" | "restoredKinds">,
  { creates, isEstimate }: Pick<RestorePlan, "creates" | "isEstimate">,
  { counts, isWhole }: { counts: Readonly<Record<string, number>>; isWhole: boolean },
): Record<string, number> {
  const held: [string, number][] = [];
  for (const { kind, count } of creates) {
    if (restoredKinds?.[kind]?.isExtra) continue;
    const counted = isWhole && Object.hasOwn(entryKinds, kind) ? counts[kind] : undefined;
    if (counted !== undefined) held.push([kind, Math.max(counted, isEstimate ? 0 : count)]);
    else if (!isEstimate) held.push([kind, count]);
  }
  return Object.fromEntries(held);
}
