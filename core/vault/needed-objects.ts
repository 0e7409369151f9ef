import { encodeRoot } from "./manifest.ts";
import { openManifest } from "./manifest-reader.ts";
import type { Completeness, ManifestRef, ObjectKind, ObjectScope } from "./types.ts";
import type { VaultReadDeps } from "./vault-deps.ts";
import { VaultError } from "./vault-error.ts";

/** What a manifest says of an object that it needs. A pack's size and hash are not in a manifest: its frames prove it. */
export type NeededObject = {
  id: string;
  kind: Extract<ObjectKind, "pack" | "stream">;
  stream: { sizeBytes: number; hash: string; crc32: number } | null;
};

/** A manifest as its own bytes tell it, without a ledger. */
export type ReadManifest = {
  entryCount: number;
  sizeBytes: number;
  completeness: Completeness;
  objects: NeededObject[];
};

/**
 * Reads a whole manifest and lists the objects that it needs.
 * @throws VaultError when a part is missing or damaged, or `tampered` when the bytes are those of another manifest
 */
export async function readNeededObjects(
  deps: VaultReadDeps,
  { scope, manifest }: { scope: ObjectScope; manifest: Pick<ManifestRef, "id" | "root"> },
): Promise<ReadManifest> {
  const ref: ManifestRef = { ...manifest, entryCount: 0, sizeBytes: 0 };
  const reader = await openManifest(deps, { scope, ref });
  if (encodeRoot(reader.root).id !== manifest.id)
    throw new VaultError("tampered", `${manifest.root.object} holds another manifest than ${manifest.id}`);
  const objects = new Map<string, NeededObject>();
  const addPack = (id: string) => objects.set(id, { id, kind: "pack", stream: null });
  addPack(manifest.root.object);
  for (const { blob } of reader.root.chunks) addPack(blob.object);
  for await (const { type, where, sizeBytes, hash, crc32 } of reader.entries()) {
    const id = where.object;
    if (type === "record") addPack(id);
    else objects.set(id, { id, kind: "stream", stream: { sizeBytes, hash, crc32 } });
  }
  const { entryCount, sizeBytes, completeness } = reader.root;
  return { entryCount, sizeBytes, completeness, objects: [...objects.values()] };
}
