import { createHash } from "node:crypto";
import type {
  BackupEvent,
  Progress,
  VerifyEvent,
  VerifyOrder,
} from "#connectors/contract/platform-connector.ts";
import type { ByteSink, EntryInfo, SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { canonicalJson, type Json } from "#core/kernel/canonical-json.ts";
import { concatBytes, fromUtf8, utf8 } from "#core/kernel/crypto.ts";
import { lend } from "#tests/harness/lend.ts";

/** A snapshot in memory, built from a connector's events as the vault builds one. */
export type MemorySnapshot = SnapshotView & {
  entries: Map<string, { info: EntryInfo; bytes: Uint8Array }>;
  companions: Map<string, Uint8Array>;
  /** Paths of streams that carried bytes in this run. */
  newStreams: string[];
  skipped: { path: string; kind: string; reason: string }[];
  reported: Record<string, number>;
  progress: Progress[];
  checkpoints: Json[];
};

const CHUNK_BYTES = 1024 * 1024;

/** Consumes a backup. After an error its state is lost, like that of an aborted draft. */
export async function takeSnapshot(
  events: AsyncIterable<BackupEvent>,
  previous: MemorySnapshot | null = null,
): Promise<MemorySnapshot> {
  const snapshot = emptySnapshot(previous?.companions ?? new Map());
  for await (const event of events) await take(snapshot, previous, event);
  return snapshot;
}

async function take(snapshot: MemorySnapshot, previous: MemorySnapshot | null, event: BackupEvent) {
  switch (event.type) {
    case "progress":
      snapshot.progress.push(event.progress);
      return;
    case "record":
      return put(snapshot, event, "record", utf8(canonicalJson(event.value)));
    case "stream": {
      const chunks: Uint8Array[] = [];
      const write = (chunk: Uint8Array) => void chunks.push(chunk.slice());
      await event.write({ write }, (progress) => snapshot.progress.push(progress));
      const bytes = concatBytes(...chunks);
      if (bytes.length === 0 && event.optional === true) return;
      if (event.expectedHash !== undefined && hashOf(bytes) !== event.expectedHash) {
        if (event.ifBroken === undefined) throw new Error(`${event.path} arrived with other bytes`);
        snapshot.skipped.push({ path: event.path, kind: event.kind, reason: event.ifBroken });
        return;
      }
      snapshot.newStreams.push(event.path);
      return put(snapshot, event, "stream", bytes);
    }
    case "keep":
      return keep(snapshot, previous, event.path);
    case "keep-all":
      for (const path of previous?.entries.keys() ?? []) {
        if (path.startsWith(event.prefix)) keep(snapshot, previous, path);
      }
      return;
    case "drop":
      snapshot.entries.delete(event.path);
      return;
    case "skipped":
      snapshot.skipped.push(event);
      return;
    case "reported":
      snapshot.reported[event.kind] = event.count;
      return;
    case "offer":
      return;
    case "checkpoint":
      snapshot.checkpoints.push(event.cursor);
      return;
    default:
      event satisfies never;
  }
}

function keep(snapshot: MemorySnapshot, previous: MemorySnapshot | null, path: string) {
  const entry = previous?.entries.get(path);
  if (entry === undefined) throw new Error(`${path} is kept, but the previous snapshot has no such entry`);
  snapshot.entries.set(path, entry);
}

function put(
  snapshot: MemorySnapshot,
  { path, kind, title, parent }: { path: string; kind: string; title?: string; parent?: string },
  type: "record" | "stream",
  bytes: Uint8Array,
) {
  const hash = hashOf(bytes);
  const info: EntryInfo = { path, kind, type, title, parent, sizeBytes: bytes.length, hash };
  snapshot.entries.set(path, { info, bytes });
}

/** The order for an uninterrupted check from the beginning. */
export const WHOLE_CHECK: VerifyOrder = { cursor: null, readScratch: () => null, isOver: () => false };

/** Consumes a verification and stores its companions beside the entries. */
export async function runVerify(snapshot: MemorySnapshot, events: AsyncIterable<VerifyEvent>) {
  const problems: string[] = [];
  const found: Record<string, number> = {};
  const checkpoints: Json[] = [];
  const unproven: string[] = [];
  const overlooked: string[] = [];
  for await (const event of events) {
    if (event.type === "problem") problems.push(`${event.path}: ${event.message}`);
    else if (event.type === "unproven") unproven.push(`${event.path}: ${event.message}`);
    else if (event.type === "overlooked") overlooked.push(`${event.path}: ${event.message}`);
    else if (event.type === "found") found[event.kind] = event.count;
    else if (event.type === "checkpoint") checkpoints.push(event.cursor);
    else if (event.type === "companion") {
      const chunks: Uint8Array[] = [];
      const sink: ByteSink = { write: (chunk) => void chunks.push(chunk.slice()) };
      await event.write(sink);
      snapshot.companions.set(companionKey(snapshot, event.path, event.name), concatBytes(...chunks));
    }
  }
  return { problems, unproven, overlooked, found, checkpoints };
}

/** A companion belongs to the bytes of an entry, so an unchanged entry keeps its companion. */
function companionKey(snapshot: MemorySnapshot, path: string, name: string): string {
  const entry = snapshot.entries.get(path);
  if (entry === undefined) throw new Error(`There is no entry ${path}`);
  return `${entry.info.hash}/${name}`;
}

function emptySnapshot(companions: Map<string, Uint8Array>): MemorySnapshot {
  const entries: MemorySnapshot["entries"] = new Map();
  const bytesOf = (path: string) => {
    const entry = entries.get(path);
    if (entry === undefined) throw new Error(`There is no entry ${path}`);
    return entry.bytes;
  };
  let known: { paths: string[]; sorted: { path: string; bytes: Buffer }[] } = { paths: [], sorted: [] };
  /** Sorted again only when the paths change: a plan lists a large version many times. */
  const sortedPaths = () => {
    const paths = [...entries.keys()];
    if (paths.length !== known.paths.length || paths.some((path, at) => path !== known.paths[at])) {
      const sorted = paths.map((path) => ({ path, bytes: Buffer.from(path) }));
      known = { paths, sorted: sorted.sort((a, b) => a.bytes.compare(b.bytes)) };
    }
    return known.sorted;
  };
  const snapshot: MemorySnapshot = {
    entries,
    companions,
    newStreams: [],
    skipped: [],
    reported: {},
    progress: [],
    checkpoints: [],
    find: async (path) => entries.get(path)?.info ?? null,
    counts() {
      const counts: Record<string, number> = {};
      for (const { info } of entries.values()) counts[info.kind] = (counts[info.kind] ?? 0) + 1;
      return counts;
    },
    async *list(prefix = "", after = "") {
      const start = Buffer.from(after);
      for (const { path, bytes } of sortedPaths()) {
        if (path.startsWith(prefix) && (after === "" || bytes.compare(start) > 0))
          yield entries.get(path)!.info;
      }
    },
    async *listBack(prefix = "", before = "") {
      const end = Buffer.from(before);
      for (const { path, bytes } of sortedPaths().toReversed()) {
        if (path.startsWith(prefix) && (before === "" || bytes.compare(end) < 0))
          yield entries.get(path)!.info;
      }
    },
    readRecord: async (path) => JSON.parse(fromUtf8(bytesOf(path))) as Json,
    read: (path, range) => chunksOf(bytesOf(path), range),
    async findCompanion(path, name) {
      const bytes = companions.get(companionKey(snapshot, path, name));
      return bytes === undefined ? null : { sizeBytes: bytes.length, hash: hashOf(bytes) };
    },
    readCompanion(path, name, range) {
      const bytes = companions.get(companionKey(snapshot, path, name));
      if (bytes === undefined) throw new Error(`There is no ${name} beside ${path}`);
      return chunksOf(bytes, range);
    },
  };
  return snapshot;
}

/** Node's hash is synchronous. Web Crypto switches threads for each of thousands of records. */
const hashOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** Chunks become invalid as the vault's do, so that a connector that keeps one fails here. */
function chunksOf(bytes: Uint8Array, range = { offset: 0, length: bytes.length }) {
  return lend(bytes.subarray(range.offset, range.offset + range.length), [CHUNK_BYTES]);
}
