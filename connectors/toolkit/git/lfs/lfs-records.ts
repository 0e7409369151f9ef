import { z } from "zod";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { fromUtf8, utf8 } from "#core/kernel/crypto.ts";
import type { LfsPointer } from "../object-facts.ts";
import type { GitChain } from "../repository/git-chain.ts";

/** Where the files of Git LFS lie in a snapshot. */
export const LFS = "lfs/";
/** Kind of an entry that is a file of Git LFS. */
export const LFS_OBJECT = "lfs-object";
/** Name under which the check of a pack leaves its pointers beside it. */
export const LFS_COMPANION = "lfs";

const OID = /^[0-9a-f]{64}$/;
const listSchema = z.object({
  pointers: z.array(z.object({ oid: z.string().regex(OID), sizeBytes: z.int().nonnegative() })),
  left: z.array(z.string()).default([]),
});

/** Path of a file of Git LFS. */
export function lfsPath(oid: string): string {
  return `${LFS}${oid}`;
}

/** Path of the record that lists the pointers of a git pack: `git/packs/0001-0002.pack` → `git/lfs/0001-0002.json`. */
export function pointerListPath(pack: string): string {
  return pack.replace(/packs\/([^/]+)\.pack$/, "lfs/$1.json");
}

/** The record of a pack's pointers, and which of their files no backup has asked for yet. */
export function pointerList(pointers: readonly LfsPointer[], left: ReadonlySet<string>): Json {
  const sorted = [...pointers].sort((a, b) => (a.oid < b.oid ? -1 : 1));
  const unasked = sorted.flatMap(({ oid }) => (left.has(oid) ? [oid] : []));
  return {
    pointers: sorted.map(({ oid, sizeBytes }) => ({ oid, sizeBytes })),
    ...(unasked.length > 0 ? { left: unasked } : {}),
  };
}

/** The pointers of a pack as the check of a version leaves them: a line for each. */
export function* pointerLines(pointers: readonly LfsPointer[]): Generator<Uint8Array> {
  for (let from = 0; from < pointers.length; from += 1000) {
    const lines = pointers.slice(from, from + 1000).map(({ oid, sizeBytes }) => `${oid} ${sizeBytes}\n`);
    yield utf8(lines.join(""));
  }
}

/** Every pointer that is known of a version's packs: what the backup met, and what a check found. */
export async function readPointers(
  snapshot: SnapshotView,
  chain: GitChain,
): Promise<Map<string, LfsPointer>> {
  const pointers = new Map<string, LfsPointer>();
  for (const { path } of chain.packs) {
    const { asked, fresh } = await knownPointers(snapshot, path);
    for (const pointer of [...asked, ...fresh]) pointers.set(pointer.oid, pointer);
  }
  return pointers;
}

/** Pointers of a pack: those whose files a backup has asked for, and those that were found or left since. */
export type KnownPointers = { asked: LfsPointer[]; fresh: LfsPointer[] };

/** The pointers of a pack that the backup listed or a check found. */
export async function knownPointers(snapshot: SnapshotView, pack: string): Promise<KnownPointers> {
  const { pointers, left } = await readList(snapshot, pack);
  const listed = new Set(pointers.map(({ oid }) => oid));
  const unasked = new Set(left);
  const found = ((await provedPointers(snapshot, pack)) ?? []).filter(({ oid }) => !listed.has(oid));
  return {
    asked: pointers.filter(({ oid }) => !unasked.has(oid)),
    fresh: [...pointers.filter(({ oid }) => unasked.has(oid)), ...found],
  };
}

async function readList(snapshot: SnapshotView, pack: string): Promise<z.output<typeof listSchema>> {
  const path = pointerListPath(pack);
  if ((await snapshot.find(path)) === null) return { pointers: [], left: [] };
  const parsed = listSchema.safeParse(await snapshot.readRecord(path));
  return parsed.success ? parsed.data : { pointers: [], left: [] };
}

/** The pointers that the check of a pack found, or null when it left none. */
export async function provedPointers(snapshot: SnapshotView, pack: string): Promise<LfsPointer[] | null> {
  if ((await snapshot.findCompanion(pack, LFS_COMPANION)) === null) return null;
  const pointers: LfsPointer[] = [];
  let rest = "";
  for await (const chunk of snapshot.readCompanion(pack, LFS_COMPANION)) {
    const lines = (rest + fromUtf8(chunk)).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const [oid = "", size = ""] = line.split(" ");
      if (OID.test(oid)) pointers.push({ oid, sizeBytes: Number(size) });
    }
  }
  return pointers;
}

/** Object names of the LFS files that a version holds. */
export async function storedObjects(snapshot: SnapshotView): Promise<Set<string>> {
  const oids = new Set<string>();
  for await (const { path } of snapshot.list(LFS)) oids.add(path.slice(LFS.length));
  return oids;
}
