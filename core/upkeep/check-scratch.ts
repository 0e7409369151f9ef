import { z } from "zod";
import type { ByteSink } from "#connectors/contract/snapshot-view.ts";
import {
  type ObjectScope,
  objectKey,
  openObjectReader,
  openObjectWriter,
  type StoredObject,
  type VaultDeps,
  VaultError,
  type VaultReadDeps,
} from "#core/vault/index.ts";

/** Where a check's temporary bytes are stored; small enough for the run's cursor. */
const placeSchema = z.strictObject({ id: z.string(), sizeBytes: z.int().nonnegative(), hash: z.string() });
export const scratchPlacesSchema = z.record(z.string(), placeSchema);
type ScratchPlace = z.output<typeof placeSchema>;
export type ScratchPlaces = Record<string, ScratchPlace>;

/** Temporary bytes of one check, as objects of kind `draft` that belong to its run. */
export type CheckScratch = {
  read(name: string): AsyncIterable<Uint8Array> | null;
  /** Stores bytes under the name. Replaced bytes are kept until `dropReplaced`. */
  store(name: string, write: (sink: ByteSink) => Promise<void>): Promise<void>;
  /** The places to store in the cursor, so that the next slice finds the bytes. */
  places(): ScratchPlaces;
  /** Deletes replaced bytes. Call it once the cursor with the new places is stored. */
  dropReplaced(): Promise<void>;
  /** Deletes everything. `prune` deletes what a crash leaves behind. */
  dropAll(): Promise<void>;
};

/** Opens a check's scratch in the state that its last slice stored. */
export function openScratch(
  vault: VaultDeps,
  { scope, runId, places }: { scope: ObjectScope; runId: string; places: ScratchPlaces },
): CheckScratch {
  const current = new Map(Object.entries(places));
  const replaced: ScratchPlace[] = [];

  async function drop(place: ScratchPlace): Promise<void> {
    await vault.bucket.delete(objectKey(scope, place.id));
    await vault.registry.discard([place.id]);
  }
  async function dropReplaced(): Promise<void> {
    for (const place of replaced.splice(0)) await drop(place);
  }

  return {
    read(name) {
      const place = current.get(name);
      return place ? readPlace(vault, scope, place) : null;
    },
    async store(name, write) {
      const writer = await openObjectWriter(vault, { scope, kind: "draft", runId });
      let stored: StoredObject;
      try {
        await write(writer);
        stored = await writer.close();
      } catch (cause) {
        await writer.abort();
        throw cause;
      }
      const { id, sizeBytes, hash } = stored;
      const old = current.get(name);
      if (old) replaced.push(old);
      current.set(name, { id, sizeBytes, hash });
    },
    places: () => Object.fromEntries(current),
    dropReplaced,
    async dropAll() {
      await dropReplaced();
      for (const place of current.values()) await drop(place);
      current.clear();
    },
  };
}

/** Damage to temporary bytes is our fault and not a problem of the version. */
async function* readPlace(
  vault: VaultReadDeps,
  scope: ObjectScope,
  place: ScratchPlace,
): AsyncGenerator<Uint8Array> {
  try {
    yield* openObjectReader(vault, { scope, kind: "draft", ...place }).read();
  } catch (cause) {
    if (!(cause instanceof VaultError)) throw cause;
    throw new Error("The temporary bytes of a check could not be read back", { cause });
  }
}
