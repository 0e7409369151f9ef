import type { UploadPack } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { INDEX_COMPANION } from "../bare-repository.ts";
import { joinPacks } from "../join-packs.ts";
import type { ObjectFormat } from "../object-format.ts";
import { type PackNames, readPackNames } from "../pack-index-file.ts";
import { advertiseRefs, answerUploadPack } from "../serve-upload-pack.ts";
import type { ChainPack, GitChain, RefsRecord } from "./git-chain.ts";

/** Objects whose names are held in memory to find repeated ones: 32 MB. */
const MOST_NAMES = 4_000_000;

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
  if (packs.length < 2) return false;
  if (packs.reduce((sum, { objects }) => sum + objects, 0) > MOST_NAMES) return true;
  const larger: PackNames[] = [];
  for (const { path } of packs.toSorted((one, other) => other.objects - one.objects)) {
    const names = await readPackNames(snapshot.readCompanion(path, INDEX_COMPANION), format);
    if (larger.some((each) => names.overlaps(each))) return true;
    larger.push(names);
  }
  return false;
}
