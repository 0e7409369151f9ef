import { Buffer } from "node:buffer";
import type { UploadPack } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { INDEX_COMPANION } from "../bare-repository.ts";
import { joinPacks } from "../join-packs.ts";
import { type ObjectFormat, oidLength } from "../object-format.ts";
import { nameTable } from "../pack-index-file.ts";
import { advertiseRefs, answerUploadPack } from "../serve-upload-pack.ts";
import type { ChainPack, GitChain, RefsRecord } from "./git-chain.ts";

/** Objects outside the largest pack whose names are held in memory to find repeated ones: 40 MB. */
const MOST_NAMES = 200_000;

/**
 * Opens a repository for git's own protocol; null when its packs cannot be sent as one, because an object is in two of
 * them, or because too many would have to be compared.
 *
 * @param repository Every pack has an index.
 */
export async function openUploadPack(
  snapshot: SnapshotView,
  { refs, chain }: { refs: RefsRecord; chain: GitChain | null },
): Promise<UploadPack | null> {
  const packs = chain?.packs ?? [];
  if (await mayRepeat(snapshot, packs, refs.objectFormat)) return null;
  const whole = joinPacks(
    packs.map(({ path, bytes, objects }) => ({ length: bytes, objects, read: () => snapshot.read(path) })),
    refs.objectFormat,
  );
  return { refs: advertiseRefs(refs), answer: (request) => answerUploadPack(request, refs, whole) };
}

async function mayRepeat(
  snapshot: SnapshotView,
  packs: readonly ChainPack[],
  format: ObjectFormat,
): Promise<boolean> {
  const [largest, ...others] = packs.toSorted((one, other) => other.objects - one.objects);
  if (largest === undefined || others.length === 0) return false;
  if (others.reduce((sum, { objects }) => sum + objects, 0) > MOST_NAMES) return true;
  const names = new Set<string>();
  for (const pack of others) {
    for await (const name of namesIn(snapshot, pack, format)) {
      if (names.has(name)) return true;
      names.add(name);
    }
  }
  for await (const name of namesIn(snapshot, largest, format)) if (names.has(name)) return true;
  return false;
}

/** The names of a pack's objects, from its index. */
async function* namesIn(
  snapshot: SnapshotView,
  { path, objects }: ChainPack,
  format: ObjectFormat,
): AsyncGenerator<string, void> {
  const width = oidLength(format);
  const kept = Buffer.alloc(width);
  let used = 0;
  const table = nameTable(objects, format);
  for await (const piece of snapshot.readCompanion(path, INDEX_COMPANION, table)) {
    for (let at = 0; at < piece.length; ) {
      const taken = Math.min(width - used, piece.length - at);
      kept.set(piece.subarray(at, at + taken), used);
      used += taken;
      at += taken;
      if (used < width) break;
      used = 0;
      yield kept.latin1Slice();
    }
  }
}
