import { z } from "zod";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { fromUtf8, utf8 } from "#core/kernel/crypto.ts";
import type { LfsPointer } from "../object-facts.ts";
import type { GitChain } from "../repository/git-chain.ts";

/** Folder of the Git LFS files in a snapshot. */
export const LFS = "lfs/";
/** Entry kind of a Git LFS file. */
export const LFS_OBJECT = "lfs-object";
/** Companion name of the pointers that the check of a pack found. */
export const LFS_COMPANION = "lfs";

const OID = /^[0-9a-f]{64}$/;
const listSchema = z.object({
  pointers: z.array(z.object({ oid: z.string().regex(OID), sizeBytes: z.int().nonnegative() })),
  left: z.array(z.string()).default([]),
});

/** Path of a Git LFS file. */
export function lfsPath(oid: string): string {
  return `${LFS}${oid}`;
}

/** Path of the record that lists the pointers of a git pack: `git/packs/0001-0002.pack` → `git/lfs/0001-0002.json`. */
export function pointerListPath(pack: string): string {
  return pack.replace(/packs\/([^/]+)\.pack$/, "lfs/$1.json");
}

/** The record of a pack's pointers; `left` names the files that no backup has requested yet. */
export function pointerList(pointers: readonly LfsPointer[], left: ReadonlySet<string>): Json {
  const sorted = [...pointers].sort((a, b) => (a.oid < b.oid ? -1 : 1));
  const unasked = sorted.flatMap(({ oid }) => (left.has(oid) ? [oid] : []));
  return {
    pointers: sorted.map(({ oid, sizeBytes }) => ({ oid, sizeBytes })),
    ...(unasked.length > 0 ? { left: unasked } : {}),
  };
}

/** The pointers of a pack as stored by the check of a version: one per line. */
export function* pointerLines(pointers: readonly LfsPointer[]): Generator<Uint8Array> {
  for (let from = 0; from < pointers.length; from += 1000) {
    const lines = pointers.slice(from, from + 1000).map(({ oid, sizeBytes }) => `${oid} ${sizeBytes}\n`);
    yield utf8(lines.join(""));
  }
}

/** All known pointers of a version's packs: those from the backup and those found by a check. */
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

/** Pointers of a pack: `asked` = a backup has requested their files; `fresh` = found or left since. */
export type KnownPointers = { asked: LfsPointer[]; fresh: LfsPointer[] };

/** The pointers of a pack that a backup listed or a check found. */
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

/** The pointers that the check of a pack found; null = it stored none. */
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

/** Oids of the LFS files in a version. */
export async function storedObjects(snapshot: SnapshotView): Promise<Set<string>> {
  const oids = new Set<string>();
  for await (const { path } of snapshot.list(LFS)) oids.add(path.slice(LFS.length));
  return oids;
}
