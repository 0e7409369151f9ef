import { FRAME_BYTES } from "./format.ts";
import { openObjectReader } from "./object-reader.ts";
import type { ObjectScope, StoredObject } from "./types.ts";
import type { VaultReadDeps } from "./vault-deps.ts";

/** Bytes of an object that one sample reads: as many as one request of a reader fetches. */
const SAMPLE_BYTES = 16 * FRAME_BYTES;

/**
 * Reads a part of an object and authenticates every frame of it; of an object that is one part, also its hash. `turn`
 * chooses the part: successive numbers read all parts in turn.
 * @throws VaultError when the object is missing or damaged there
 */
export async function readSample(
  deps: VaultReadDeps,
  { scope, object, turn }: { scope: ObjectScope; object: StoredObject; turn: number },
): Promise<void> {
  const { id, kind, sizeBytes, hash } = object;
  const reader = openObjectReader(deps, { scope, id, kind, sizeBytes, hash });
  const parts = Math.max(1, Math.ceil(sizeBytes / SAMPLE_BYTES));
  const offset = (turn % parts) * SAMPLE_BYTES;
  const range = { offset, length: Math.min(SAMPLE_BYTES, sizeBytes - offset) };
  for await (const chunk of reader.read(range)) void chunk;
}
