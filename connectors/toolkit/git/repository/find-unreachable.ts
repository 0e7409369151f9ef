import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { GitPackError } from "../git-pack-error.ts";
import { type ObjectStore, openObjectStore } from "../object-store.ts";
import { markReached, walkHistory } from "../reached-objects.ts";
import { storedPacks } from "../stored-packs.ts";
import { type GitChain, knownTips, type RefsRecord } from "./git-chain.ts";

/** How far the search goes. */
export type SearchLimits = {
  /** Objects of all packs up to which they are counted one by one: their names are kept in memory. */
  objects: number;
  /** Commits that are followed from the refs. */
  commits: number;
};

const LIMITS: SearchLimits = { objects: 200_000, commits: 50_000 };
/** Commits that are followed from the newest tips first: after a usual push they lead to all earlier ones. */
const NEAR_COMMITS = 2_000;

/**
 * Searches a version's packs for what no ref reaches any more: history that was deleted or rewritten at the source after
 * an earlier backup had fetched it. A pack holds only what its tips reach. So while the refs reach every tip, nothing is
 * unreachable.
 *
 * @returns the objects with their bytes; only the commits, without bytes, in a large repository; null = there are none,
 *   or the history is too long to say
 */
export async function findUnreachable(
  snapshot: SnapshotView,
  { refs, chain }: { refs: RefsRecord; chain: GitChain },
  limits: SearchLimits = LIMITS,
): Promise<{ objects: number; bytes: number | null } | null> {
  const tips = tipsOf(refs);
  const lost = [...knownTips(chain)].filter((oid) => !tips.has(oid));
  if (lost.length === 0) return null;
  const { sources, unindexed } = await storedPacks(
    snapshot,
    chain.packs.map(({ path }) => path),
  );
  if (unindexed > 0) return null;
  const store = openObjectStore(sources, chain.objectFormat);
  try {
    const near = newestTips(chain).filter((oid) => tips.has(oid));
    if ((await walkHistory(store, near, { until: lost, most: NEAR_COMMITS })).kind === "met") return null;
    const history = await walkHistory(store, [...tips], { until: lost, most: limits.commits });
    if (history.kind !== "whole") return null;
    const objects = chain.packs.reduce((sum, pack) => sum + pack.objects, 0);
    if (objects <= limits.objects) return await countOthers(store, await markReached(store, history));
    const others = await walkHistory(store, lost, { except: history.seen, most: limits.commits });
    return { objects: others.seen.size, bytes: null };
  } catch (cause) {
    // An object that cannot be opened here, e.g. for its size. The check itself reports damage.
    if (cause instanceof GitPackError) return null;
    throw cause;
  }
}

/** The objects from which a version's refs reach all others. */
export function tipsOf({ refs, head }: RefsRecord): Set<string> {
  return new Set([...refs.map(({ oid }) => oid), ...(head.oid === null ? [] : [head.oid])]);
}

function newestTips({ packs, coveredTips }: GitChain): string[] {
  return [...(packs.at(-1)?.tips ?? []), ...coveredTips];
}

async function countOthers(
  store: ObjectStore,
  reached: Set<string>,
): Promise<{ objects: number; bytes: number } | null> {
  const counted = { objects: 0, bytes: 0 };
  for await (const oid of store.names()) {
    if (reached.has(oid)) continue;
    // An object in two packs counts once.
    reached.add(oid);
    counted.objects += 1;
    counted.bytes += (await store.facts(oid)).sizeBytes;
  }
  return counted.objects === 0 ? null : counted;
}
