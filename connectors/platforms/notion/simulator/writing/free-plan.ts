import { invalid } from "../refused.ts";
import type { NotionWorld } from "../state.ts";

/**
 * Refuses blocks beyond what a workspace on the free plan may take. It concerns only connections that are registered for
 * chosen workspaces, and counts every block that was ever made. Source: [blocks of a workspace].
 */
export function refuseBeyondFreePlan(
  { state, settings }: NotionWorld,
  workspaceId: string,
  more: number,
): void {
  if (settings.registeredFor === "any workspace" || more === 0) return;
  const workspace = state.workspaces.find(({ id }) => id === workspaceId);
  if (workspace?.plan !== "free") return;
  const made = Object.values(state.blocks).filter((block) => block.workspaceId === workspaceId).length;
  if (made + more > settings.freeBlocks)
    throw invalid("This workspace has reached the block limit of the free plan.");
}

/** The most bytes of one file in a workspace. Source: [notionbackups]. */
export function fileLimit({ state, settings }: NotionWorld, workspaceId: string): number {
  const workspace = state.workspaces.find(({ id }) => id === workspaceId);
  return workspace?.plan === "free" ? settings.freeFileBytes : settings.paidFileBytes;
}
