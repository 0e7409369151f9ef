import { decodeRoot, encodeRoot } from "./manifest.ts";
import { readObject } from "./object-reader.ts";
import { decodePackIndex, openBlob } from "./record-pack.ts";
import type { ManifestRef, ObjectScope } from "./types.ts";
import type { VaultReadDeps } from "./vault-deps.ts";
import { VaultError } from "./vault-error.ts";

/**
 * Finds the manifests whose roots are in a pack, by reading the pack: they may have been moved there after anything else
 * named their place. Returns an empty list for an object that is no intact pack.
 */
export async function findRootsIn(
  deps: VaultReadDeps,
  { scope, id }: { scope: ObjectScope; id: string },
): Promise<Pick<ManifestRef, "id" | "root">[]> {
  try {
    const pack = await readObject(deps, { scope, id, kind: "pack" });
    return decodePackIndex(pack)
      .filter(({ type }) => type === "root")
      .map(({ offset, length, method, hash }) => {
        const stored = pack.subarray(offset, offset + length);
        const root = decodeRoot(openBlob(stored, { method, hash, name: `${id}+${offset}` }));
        return { id: encodeRoot(root).id, root: { object: id, offset, length, method, hash } };
      });
  } catch (cause) {
    if (cause instanceof VaultError) return [];
    throw cause;
  }
}
