/**
 * Events of a draft that were spilled from memory: segments of JSON lines sorted by path, each an encrypted object. The
 * first line of a segment holds the state of the draft at that time, so the newest segment is a checkpoint.
 */
import { z } from "zod";
import type { Json } from "#core/kernel/canonical-json.ts";
import { utf8 } from "#core/kernel/crypto.ts";
import { readCursor } from "#core/kernel/stored-json.ts";
import { openObjectReader } from "./object-reader.ts";
import { openObjectWriter } from "./object-writer.ts";
import { compareUtf8 } from "./paths.ts";
import type { ManifestEntry, ObjectScope } from "./types.ts";
import type { VaultDeps, VaultReadDeps } from "./vault-deps.ts";
import { VaultError } from "./vault-error.ts";

const BUFFERED_CHARACTERS = 256 * 1024;
/** As text and lines, a whole frame takes several times its size, and a merge reads many segments at once. */
const DECODED_BYTES = 64 * 1024;

/** The latest event for a path: an entry, or null when the path is dropped. `seq` orders the events of a draft. */
export type DraftEvent = { path: string; seq: number; entry: ManifestEntry | null };

/** The state of a draft that does not belong to a single path. */
const stateSchema = z.strictObject({
  previous: z.string().nullable(),
  seq: z.int().nonnegative(),
  keeps: z.array(z.strictObject({ prefix: z.string(), seq: z.int() })),
  skipped: z.array(z.strictObject({ path: z.string(), kind: z.string(), reason: z.string() })),
  skippedCount: z.int().nonnegative(),
  reported: z.record(z.string(), z.number()),
  /** Stored sizes of the objects that the draft wrote, in bytes. */
  written: z.record(z.string(), z.number()),
  /** Objects that only the draft needs, including replaced segments. */
  temporary: z.array(z.string()),
});
export type DraftState = z.output<typeof stateSchema>;

/** Reference to a segment in the cursor. */
export const segmentRefSchema = z.strictObject({
  id: z.string(),
  sizeBytes: z.int().nonnegative(),
  hash: z.string(),
});
export type SegmentRef = z.output<typeof segmentRefSchema>;

/** Writes a segment. The events must be sorted by path. */
export async function writeSegment(
  deps: VaultDeps,
  target: { scope: ObjectScope; runId: string },
  content: { state: DraftState; events: AsyncIterable<DraftEvent> | Iterable<DraftEvent> },
): Promise<SegmentRef> {
  const writer = await openObjectWriter(deps, { ...target, kind: "draft" });
  try {
    let text = `${JSON.stringify({ ...content.state, temporary: [...content.state.temporary, writer.id] })}\n`;
    for await (const event of content.events) {
      text += `${JSON.stringify(event)}\n`;
      if (text.length < BUFFERED_CHARACTERS) continue;
      await writer.write(utf8(text));
      text = "";
    }
    await writer.write(utf8(text));
    const { id, sizeBytes, hash } = await writer.close();
    return { id, sizeBytes, hash };
  } catch (cause) {
    // Objects that cannot be removed now stay reserved, and prune finds them. Report the first error.
    await writer.abort().catch(() => {});
    throw cause;
  }
}

/** Reads the state at the start of a segment. @throws VaultError, UnreadableCursorError */
export async function readSegmentState(
  deps: VaultReadDeps,
  scope: ObjectScope,
  segment: SegmentRef,
): Promise<DraftState> {
  for await (const line of readLines(deps, scope, segment)) {
    const state = readCursor(stateSchema, line);
    if (state) return state;
  }
  throw new VaultError("truncated", `the draft segment ${segment.id} is empty`);
}

/** Yields the events of a segment in path order. @throws VaultError */
export async function* readSegment(
  deps: VaultReadDeps,
  scope: ObjectScope,
  segment: SegmentRef,
): AsyncGenerator<DraftEvent, void> {
  let isState = true;
  for await (const line of readLines(deps, scope, segment)) {
    if (!isState) yield line as unknown as DraftEvent;
    isState = false;
  }
}

/** Merges sorted sources. Of several events with the same path only the newest is yielded. */
export async function* mergeEvents(
  sources: readonly (AsyncIterable<DraftEvent> | Iterable<DraftEvent>)[],
): AsyncGenerator<DraftEvent, void> {
  const iterators = sources.map((source) =>
    Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator](),
  );
  const heads = await Promise.all(iterators.map((iterator) => iterator.next()));
  for (;;) {
    let least: string | null = null;
    for (const head of heads) {
      if (!head.done && (least === null || compareUtf8(head.value.path, least) < 0)) least = head.value.path;
    }
    if (least === null) return;
    let youngest: DraftEvent | null = null;
    for (const [i, head] of heads.entries()) {
      if (head.done || head.value.path !== least) continue;
      if (!youngest || head.value.seq > youngest.seq) youngest = head.value;
      heads[i] = await iterators[i]!.next();
    }
    yield youngest!;
  }
}

async function* readLines(
  deps: VaultReadDeps,
  scope: ObjectScope,
  segment: SegmentRef,
): AsyncGenerator<Json, void> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let rest = "";
  for await (const bytes of openObjectReader(deps, { scope, kind: "draft", ...segment }).read()) {
    for (let at = 0; at < bytes.length; at += DECODED_BYTES) {
      const piece = bytes.subarray(at, at + DECODED_BYTES);
      const lines = (rest + decoder.decode(piece, { stream: true })).split("\n");
      rest = lines.pop()!;
      for (const line of lines) yield JSON.parse(line) as Json;
    }
  }
}
