import { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { systemClock } from "#core/kernel/clock.ts";
import type { BodyReader } from "../body-reader.ts";
import type { LfsPointer } from "../object-facts.ts";
import type { GitChain } from "../repository/git-chain.ts";
import { askLfs, isExpired, LFS_BATCH, type LfsAnswer, type LfsServer, openLfsDownload } from "./lfs-api.ts";
import {
  type KnownPointers,
  knownPointers,
  LFS,
  LFS_OBJECT,
  lfsPath,
  pointerList,
  pointerListPath,
  storedObjects,
} from "./lfs-records.ts";

/** Maximum number of files per run, because the pending ones are stored in the cursor. */
const MOST_PENDING = 5_000;
/** Files between two checkpoints; each checkpoint stores what was read. */
const FILES_BETWEEN_POINTS = 20;
/** Bytes after which a checkpoint is stored earlier. */
const BYTES_BETWEEN_POINTS = 256 * 1024 ** 2;

/** Pointers of this run whose files may have to be fetched, as stored in a cursor. */
export type PendingFiles = { files: [oid: string, sizeBytes: number][]; left: number };

/** Schema of the pending files in a cursor. */
export const pendingSchema = z.strictObject({
  files: z.array(z.tuple([z.string().regex(/^[0-9a-f]{64}$/), z.int().nonnegative()])),
  left: z.int().nonnegative(),
});

/** What is known about the files of an item. */
export type LfsState = {
  /** Files in the previous version. */
  stored: ReadonlySet<string>;
  /** Files that this run requests, and files that it leaves to the next run. */
  asked: Set<string>;
  left: Set<string>;
  /** Requested files that are still pending. */
  pending: PendingFiles;
};

/**
 * Starts from the previous version. If its packs are reused, keeps its files and queues the pointers whose files it
 * lacks: first those that only the check of that version found, then those that may have been uploaded since.
 */
export async function* beginFiles(
  previous: SnapshotView | null,
  { chain, isBase, cursor }: { chain: GitChain; isBase: boolean; cursor: PendingFiles | null },
): AsyncGenerator<BackupEvent, LfsState> {
  const stored = previous === null ? new Set<string>() : await storedObjects(previous);
  const state: LfsState = { stored, asked: new Set(), left: new Set(), pending: { files: [], left: 0 } };
  if (previous !== null && !isBase) {
    if (stored.size > 0) yield { type: "keep-all", prefix: LFS };
    const lists: { pack: string; known: KnownPointers }[] = [];
    for (const { path } of chain.packs) {
      if ((await previous.find(path)) !== null)
        lists.push({ pack: path, known: await knownPointers(previous, path) });
    }
    for (const { known } of lists) chooseMissing(state, known.fresh);
    // Previously requested files get the remaining room. They never count as left: `left` contains only files that no
    // backup has requested.
    for (const { known } of lists) chooseMissing({ ...state, left: new Set() }, known.asked);
    for (const { pack, known } of lists) yield* listPointers(state, pack, [...known.asked, ...known.fresh]);
  }
  state.pending.left = state.left.size;
  // After a resume, the selection includes files that are already stored; the cursor has the current list.
  if (cursor !== null) state.pending = cursor;
  return state;
}

/** Records the pointers of a new pack: lists them, keeps stored files and queues the others. */
export function* notePointers(
  state: LfsState,
  { pack, pointers, isBase }: { pack: string; pointers: readonly LfsPointer[]; isBase: boolean },
): Generator<BackupEvent> {
  chooseMissing(state, pointers);
  state.pending.left = state.left.size;
  yield* listPointers(state, pack, pointers);
  for (const { oid } of pointers) {
    if (isBase && state.stored.has(oid)) yield { type: "keep", path: lfsPath(oid) };
  }
}

/** The record of a pack's pointers, with those that are left for a later run. */
function* listPointers(
  { left }: LfsState,
  pack: string,
  pointers: readonly LfsPointer[],
): Generator<BackupEvent> {
  if (pointers.length === 0) return;
  const title = `${pointers.length} ${pointers.length === 1 ? "file" : "files"} of Git LFS`;
  const value = pointerList(pointers, left);
  yield { type: "record", path: pointerListPath(pack), kind: "git-lfs", title, parent: pack, value };
}

/** Queues files that are not stored, up to the limit of one run; the others are left. */
function chooseMissing({ stored, asked, left, pending }: LfsState, pointers: readonly LfsPointer[]): void {
  for (const { oid, sizeBytes } of pointers) {
    if (stored.has(oid) || asked.has(oid)) continue;
    if (asked.size >= MOST_PENDING) left.add(oid);
    else {
      asked.add(oid);
      pending.files.push([oid, sizeBytes]);
    }
  }
}

/** The files that one run fetches. */
export type LfsBackup = {
  server: LfsServer;
  pending: PendingFiles;
  /** Wraps the pending files into the cursor of a checkpoint. */
  cursorOf: (pending: PendingFiles) => Json;
};

/**
 * Fetches the pending files and checks each against its SHA-256, which is its name. A file that the server refuses,
 * or whose bytes do not match, is skipped with a reason. Timeouts, temporary failures and rate limits end the run,
 * for a later attempt.
 */
export async function* fetchFiles(backup: LfsBackup): AsyncGenerator<BackupEvent> {
  const { server, pending, cursorOf } = backup;
  if (pending.files.length === 0) return;
  const total = pending.files.length;
  const isOut = { reason: null as string | null };
  let files = 0;
  let bytes = 0;
  yield progress(0, total);
  while (pending.files.length > 0) {
    const batch = pending.files.slice(0, LFS_BATCH);
    const answers = isOut.reason === null ? await askAll(server, batch, isOut) : [];
    for (const [index, [oid, sizeBytes]] of batch.entries()) {
      const answer = answers[index];
      yield* fetchFile(server, answer, { oid, sizeBytes, outOfReach: isOut.reason });
      pending.files.shift();
      yield progress(total - pending.files.length, total);
      files += 1;
      bytes += sizeBytes;
      if (files < FILES_BETWEEN_POINTS && bytes < BYTES_BETWEEN_POINTS) continue;
      yield { type: "checkpoint", cursor: cursorOf(pending) };
      files = bytes = 0;
    }
  }
  if (pending.left > 0) {
    const reason = `${pending.left} more files of Git LFS are fetched by the next backup.`;
    yield { type: "skipped", path: `${LFS}…`, kind: LFS_OBJECT, reason };
  }
}

/** Requests one batch. If the server refuses LFS altogether, this run does not ask again. */
async function askAll(
  server: LfsServer,
  batch: PendingFiles["files"],
  isOut: { reason: string | null },
): Promise<LfsAnswer[]> {
  const objects = batch.map(([oid, sizeBytes]) => ({ oid, sizeBytes }));
  try {
    return await askLfs(server, { operation: "download", objects });
  } catch (error) {
    const isRefused =
      error instanceof ConnectorError && ["forbidden", "gone", "unsupported"].includes(error.kind);
    if (!isRefused) throw error;
    isOut.reason = error.message;
    return [];
  }
}

async function* fetchFile(
  server: LfsServer,
  answer: LfsAnswer | undefined,
  { oid, sizeBytes, outOfReach }: LfsPointer & { outOfReach: string | null },
): AsyncGenerator<BackupEvent> {
  const skipped = (reason: string): BackupEvent => ({
    type: "skipped",
    path: lfsPath(oid),
    kind: LFS_OBJECT,
    reason,
  });
  if (answer === undefined) {
    yield skipped(outOfReach ?? "The LFS server gave no answer.");
    return;
  }
  const opened = await openFile(server, answer);
  if (opened.kind === "refused") {
    yield skipped(refusalOf(server.platform, opened));
    return;
  }
  yield {
    type: "stream",
    path: lfsPath(oid),
    kind: LFS_OBJECT,
    expectedHash: oid,
    ifBroken: `${server.platform}'s LFS server sent other bytes than this file's name promises.`,
    write: async (sink) => {
      try {
        let done = 0;
        for (let chunk = await opened.body.read(); chunk !== null; chunk = await opened.body.read()) {
          done += chunk.length;
          // Stop at the announced size: a larger body must not fill the store before the hash fails.
          if (done > sizeBytes) break;
          await sink.write(chunk);
        }
      } finally {
        await opened.body.cancel();
      }
    },
  };
}

type Opened = { kind: "open"; body: BodyReader } | { kind: "refused"; code: number; message: string };

/** Opens a file; requests an expired URL once more. */
async function openFile(server: LfsServer, first: LfsAnswer): Promise<Opened> {
  const now = () => (server.remote.clock ?? systemClock).now();
  let answer = first;
  for (let attempt = 1; ; attempt++) {
    if (answer.error !== null) return { kind: "refused", ...answer.error };
    const action = answer.actions.download;
    if (action === undefined) {
      return { kind: "refused", code: 404, message: "It named no address for it." };
    }
    const isStale = isExpired(action, now());
    if (!isStale || attempt > 1) {
      const opened = await openLfsDownload(server, action);
      if (opened.kind === "open") return opened;
      const mayHaveEnded = [400, 401, 403].includes(opened.status) && attempt === 1;
      if (!mayHaveEnded) return { kind: "refused", code: opened.status, message: "" };
    }
    const { oid, sizeBytes } = first;
    answer = (await askLfs(server, { operation: "download", objects: [{ oid, sizeBytes }] }))[0]!;
  }
}

/** Why a file is not in the version, as a sentence for the user. */
function refusalOf(platform: string, { code, message }: { code: number; message: string }): string {
  const said = message === "" ? "" : ` It said: ${message.replace(/\s+/g, " ").slice(0, 200)}`;
  if (code === 404) {
    return `${platform} does not have this file of Git LFS: it was never uploaded, or was deleted (404).${said}`;
  }
  if (code === 410) return `The owner has removed this file of Git LFS from ${platform} (410).${said}`;
  if (code === 409 || code === 422)
    return `${platform} holds this file of Git LFS in a bad state (${code}).${said}`;
  return `${platform} did not give this file of Git LFS (${code}).${said}`;
}

function progress(done: number, total: number): BackupEvent {
  return {
    type: "progress",
    progress: { phase: "Receiving files of Git LFS", done, total, unit: "items" },
  };
}
