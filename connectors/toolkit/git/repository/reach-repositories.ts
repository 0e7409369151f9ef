import type { VerifyEvent } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { GitPackError } from "../git-pack-error.ts";
import { openObjectStore } from "../object-store.ts";
import { markReached, walkHistory } from "../reached-objects.ts";
import { storedPacks } from "../stored-packs.ts";
import { writeReachedPack } from "../write-reached-pack.ts";
import { tipsOf } from "./find-unreachable.ts";
import { findChain, gitEntries, hasRepository, readRefs } from "./git-chain.ts";

/** More commits than the check follows: what it has counted can be left out. */
const MOST_COMMITS = 60_000;

/** Names of the companions of a chain's last pack that hold only what the refs of one version reach. */
export type ReachedNames = { entry: string; pack: string; idx: string; name: string };

/** The companions of a version's repository; null = it has no packs. Versions with other refs have others. */
export async function reachedNames(snapshot: SnapshotView, prefix: string): Promise<ReachedNames | null> {
  const refs = await snapshot.find(gitEntries(prefix).refs);
  const last = (await findChain(snapshot, prefix))?.packs.at(-1);
  if (refs === null || last === undefined) return null;
  const name = refs.hash.slice(0, 40);
  return { entry: last.path, name, pack: `reached-${name}.pack`, idx: `reached-${name}.idx` };
}

/**
 * Makes, for each repository of a version, one pack with only what its refs reach, as companions of its last pack. One
 * that exists is not made again.
 *
 * @throws GitPackError when a history is too long or an object too large for that
 */
export async function* reachRepositories(
  snapshot: SnapshotView,
  prefixes: readonly string[],
): AsyncGenerator<Extract<VerifyEvent, { type: "companion" }>> {
  for (const prefix of prefixes) {
    if (!(await hasRepository(snapshot, prefix))) continue;
    const names = await reachedNames(snapshot, prefix);
    const chain = await findChain(snapshot, prefix);
    if (names === null || chain === null) continue;
    if ((await snapshot.findCompanion(names.entry, names.idx)) !== null) continue;
    const paths = chain.packs.map(({ path }) => path);
    const { sources, unindexed } = await storedPacks(snapshot, paths);
    if (unindexed > 0) throw new GitPackError("too-large", "A git pack of this version has no index");
    const store = openObjectStore(sources, chain.objectFormat);
    const tips = [...tipsOf(await readRefs(snapshot, prefix))];
    const history = await walkHistory(store, tips, { most: MOST_COMMITS });
    if (history.kind === "cut")
      throw new GitPackError("too-large", "The history of this version is too long");
    const reached = await markReached(store, history);
    let idx: (() => Iterable<Uint8Array>) | null = null;
    yield {
      type: "companion",
      path: names.entry,
      name: names.pack,
      write: async (sink) => {
        idx = await writeReachedPack(sources, reached, store, sink);
      },
    };
    const pieces = (idx as (() => Iterable<Uint8Array>) | null)?.() ?? [];
    // The index comes last: its presence means that the pack is whole.
    yield {
      type: "companion",
      path: names.entry,
      name: names.idx,
      write: async (sink) => {
        for (const piece of pieces) await sink.write(piece);
      },
    };
  }
}
