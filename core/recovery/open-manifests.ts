import {
  findRootsIn,
  type ManifestRef,
  type ObjectScope,
  plainSize,
  readNeededObjects,
  storedSize,
  VaultError,
  type VaultReadDeps,
} from "#core/vault/index.ts";
import { isStateId } from "./state-object.ts";
import type { Listed, ProvedManifest, StoredState } from "./types.ts";

type Root = ManifestRef["root"];

type Order = {
  scope: ObjectScope;
  states: readonly StoredState[];
  objects: ReadonlyMap<string, Listed>;
};

/**
 * Opens the manifests of an item's states, and keeps those of which every object is there in its full length. Bytes are
 * not compared: the next check of each version does that.
 *
 * A state says where its root was. A repack has moved it perhaps, so roots that are not found there are looked for in the
 * packs of the item.
 */
export async function openManifests(
  vault: VaultReadDeps,
  order: Order,
  problems: string[],
): Promise<Map<string, ProvedManifest>> {
  const proved = new Map<string, ProvedManifest>();
  const failures = new Map<string, { state: StoredState; message: string }>();
  // The oldest first, as a commit keeps the known place of a manifest that it stores once more.
  for (const state of order.states) {
    const { id, root } = state.manifest;
    if (proved.has(id)) continue;
    const found = await prove(vault, order, { state, root });
    if (typeof found !== "string") proved.set(id, found);
    else if (!failures.has(id)) failures.set(id, { state, message: found });
  }
  const missing = [...failures].filter(([id]) => !proved.has(id));
  const moved = missing.length > 0 ? await findMoved(vault, order) : new Map<string, Root[]>();
  for (const [id, { state, message }] of missing) {
    let found: ProvedManifest | string = message;
    for (const root of moved.get(id) ?? []) {
      found = await prove(vault, order, { state, root });
      if (typeof found !== "string") break;
    }
    if (typeof found !== "string") proved.set(id, found);
    else
      problems.push(`The state of ${new Date(state.snapshot.takenAt).toISOString()} is left out: ${found}.`);
  }
  return proved;
}

/** @returns the manifest, or why it cannot be shown */
async function prove(
  vault: VaultReadDeps,
  { scope, objects }: Order,
  { state, root }: { state: StoredState; root: Root },
): Promise<ProvedManifest | string> {
  const { id } = state.manifest;
  try {
    const read = await readNeededObjects(vault, { scope, manifest: { id, root } });
    const bad = read.objects.filter(({ id: objectId, stream }) => {
      const listed = objects.get(objectId);
      return !listed || (stream !== null && storedSize(stream.sizeBytes) !== listed.storedBytes);
    });
    if (bad.length > 0)
      return `${bad.length} of its ${read.objects.length} objects are missing or cut, e.g. ${bad[0]!.id}`;
    return {
      ...read,
      id,
      root,
      state,
      plainBytes: (objectId) => plainSize(objects.get(objectId)!.storedBytes),
    };
  } catch (cause) {
    if (cause instanceof VaultError) return cause.message;
    throw cause;
  }
}

/** The roots in all packs of the item, by manifest. */
async function findMoved(vault: VaultReadDeps, { scope, objects }: Order): Promise<Map<string, Root[]>> {
  const roots = new Map<string, Root[]>();
  for (const objectId of objects.keys()) {
    if (isStateId(objectId)) continue;
    for (const { id, root } of await findRootsIn(vault, { scope, id: objectId }))
      roots.set(id, [...(roots.get(id) ?? []), root]);
  }
  return roots;
}
