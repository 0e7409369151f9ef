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

/** Files that one run fetches at most: what waits travels with the cursor of its slices. */
const MOST_PENDING = 5_000;
/** Files after which a slice may end; each point stores what was read. */
const FILES_BETWEEN_POINTS = 20;
/** Bytes after which it may end sooner. */
const BYTES_BETWEEN_POINTS = 256 * 1024 ** 2;

/** Pointers of this run whose files may have to be fetched, as a cursor carries them. */
export type PendingFiles = { files: [oid: string, sizeBytes: number][]; left: number };

/** The form in which a cursor carries them. */
export const pendingSchema = z.strictObject({
  files: z.array(z.tuple([z.string().regex(/^[0-9a-f]{64}$/), z.int().nonnegative()])),
  left: z.int().nonnegative(),
});

/** What is known of the files of an item. */
export type LfsState = {
  /** Those that the previous version holds. */
  stored: ReadonlySet<string>;
  /** Those that this run asks for, and those that it leaves to the next one. */
  asked: Set<string>;
  left: Set<string>;
  /** Those of them that still wait. */
  pending: PendingFiles;
};

/**
 * Begins with what the previous version holds. While its packs are built on, its files are taken over, and pointers whose
 * files it lacks wait: those that the check of that version was the first to find, then those that may have appeared since.
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
    // Those that were asked for before get what room there is: nothing is left over of them that nobody asked for.
    for (const { known } of lists) chooseMissing({ ...state, left: new Set() }, known.asked);
    for (const { pack, known } of lists) yield* listPointers(state, pack, [...known.asked, ...known.fresh]);
  }
  state.pending.left = state.left.size;
  // What was chosen before an interruption is chosen again, but part of it is here by now.
  if (cursor !== null) state.pending = cursor;
  return state;
}

/** Notes the pointers of a new pack: its list, and which files are taken over and which wait. */
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

/** The list of a pack's pointers, with those that are left for a later run. */
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

/** Lets the files wait that are not stored, up to what one run fetches; the others are left. */
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

/** What one run fetches. */
export type LfsBackup = {
  server: LfsServer;
  pending: PendingFiles;
  /** Wraps what still waits into the cursor of a checkpoint. */
  cursorOf: (pending: PendingFiles) => Json;
};

/**
 * Fetches the files that wait, each checked against its name, which is its SHA-256. A file that the server refuses, or
 * that has other bytes than its name promises, is left out with a sentence; silence, faults that pass and limits end the
 * run for a later attempt.
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

/** Asks for one batch; a server that refuses LFS as a whole is not asked again in this run. */
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
          // Whoever sends more than was announced must not fill the store before the hash tells.
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

/** Opens a file; an address that has ended is asked for once more. */
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

/** Why a file is not in the version, for people. */
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
