import { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type {
  PutEvent,
  PutOrder,
  StorageSession,
  StoredFile,
} from "#connectors/contract/storage-connector.ts";
import { backoffMs, readRange } from "#connectors/toolkit/bytes-client.ts";
import { storedJson } from "#core/kernel/stored-json.ts";
import { type DriveFile, deleteFile, openUpload, sendPart, type UploadState } from "./client.ts";
import { findByKey, firstMade, KEY_PROPERTY, storedFile } from "./find.ts";
import { folderFor } from "./folders.ts";

/** A part is held in memory while it is sent; Drive requires multiples of 256 KiB. */
const PART_BYTES = 8 * 1024 * 1024;
const CHUNK_QUANTUM = 256 * 1024;
/** Maximum file size in Drive (Drive API, files.create). */
const MOST_BYTES = 5_120 * 1000 ** 3;
/** Consecutive failures without progress after which we give up. */
const MOST_FAILURES = 4;

/** The path of an upload below the API's URL. */
const uploadForm = storedJson(
  1,
  z.strictObject({ address: z.string().startsWith("/upload/drive/v3/files") }),
);

/**
 * Writes one file through a resumable upload. After a failure it queries the progress and continues from there, so
 * that no byte is lost or written twice. The file becomes visible with its last byte.
 */
export async function* put(session: StorageSession, order: PutOrder): AsyncGenerator<PutEvent, StoredFile> {
  if (order.sizeBytes > MOST_BYTES) {
    throw new ConnectorError("unsupported", "This version is too large to be copied to Google Drive.");
  }
  let address = uploadForm.resume(order.cursor)?.address ?? null;
  for (let isLastTry = address === null; ; isLastTry = true) {
    const isResumed = address !== null;
    address ??= await begin(session, order);
    const done = yield* upload(session, order, { address, isResumed });
    if (done !== "forgotten") return finished(session, order, done);
    if (isLastTry) {
      throw new ConnectorError("unavailable", "Google Drive has forgotten the upload of this copy.");
    }
    address = null;
  }
}

/** Replaces the bytes of an earlier file with the same key, because Drive allows any number of files with one name. */
async function begin(session: StorageSession, order: PutOrder): Promise<string> {
  const { sizeBytes, mediaType, path, key } = order;
  const known = await findByKey(session, key);
  if (known !== null) return openUpload(session, { updates: known.id, metadata: {}, mediaType, sizeBytes });
  const metadata = {
    name: path.slice(path.lastIndexOf("/") + 1),
    parents: [await folderFor(session, path)],
    appProperties: { [KEY_PROPERTY]: key },
  };
  return openUpload(session, { updates: null, metadata, mediaType, sizeBytes });
}

/** Sends the remaining parts. The file is null when Drive's response does not describe it. */
async function* upload(
  session: StorageSession,
  order: PutOrder,
  { address, isResumed }: { address: string; isResumed: boolean },
): AsyncGenerator<PutEvent, DriveFile | null | "forgotten"> {
  let state: UploadState = isResumed
    ? await sendPart(session, address, null, order.sizeBytes)
    : { kind: "under-way", bytes: 0 };
  let failures = 0;
  if (isResumed && state.kind === "under-way") yield { type: "progress", bytes: state.bytes };
  // No checkpoint for a slice that has sent nothing.
  let told = state.kind === "under-way" ? state.bytes : 0;
  while (state.kind === "under-way") {
    const { bytes: offset } = state;
    if (offset > order.sizeBytes) throw unexpected();
    if (offset > told) {
      yield { type: "progress", bytes: offset };
      yield { type: "checkpoint", cursor: uploadForm.write({ address }) };
      told = offset;
      failures = 0;
    }
    const next = await tryPart(session, order, address, offset);
    if (next !== "failed" && !(next.kind === "under-way" && next.bytes <= offset)) {
      state = next;
      continue;
    }
    failures += 1;
    if (failures === MOST_FAILURES) {
      throw new ConnectorError("unavailable", "Google Drive does not take the bytes of this copy.");
    }
    await session.sleep(backoffMs(failures));
    state = await sendPart(session, address, null, order.sizeBytes);
  }
  if (state.kind === "forgotten") return "forgotten";
  yield { type: "progress", bytes: order.sizeBytes };
  return state.file;
}

async function tryPart(
  session: StorageSession,
  order: PutOrder,
  address: string,
  offset: number,
): Promise<UploadState | "failed"> {
  // Drive keeps a multiple of the quantum from an interrupted part, so the next part is aligned too.
  const length = Math.min(PART_BYTES, order.sizeBytes - offset);
  if (offset % CHUNK_QUANTUM !== 0) throw unexpected();
  const bytes = await readRange(order, offset, length);
  try {
    return await sendPart(session, address, { bytes, offset }, order.sizeBytes);
  } catch (error) {
    if (error instanceof ConnectorError && error.kind === "unavailable") return "failed";
    throw error;
  }
}

async function finished(
  session: StorageSession,
  order: PutOrder,
  made: DriveFile | null,
): Promise<StoredFile> {
  if (made !== null && made.size !== order.sizeBytes) throw unexpected();
  if (made?.trashed) {
    // The folder was deleted during the upload: a file in the trash is no copy and uses space.
    await deleteFile(session, made.id);
    throw new ConnectorError("unavailable", "The folder of this copy was deleted while it was written.");
  }
  const found = await findByKey(session, order.key);
  // A search may not yet include a file that was just written.
  const whole = [made, found].flatMap((file) => (file?.size === order.sizeBytes ? [file] : []));
  const file = firstMade(whole);
  if (file === null) throw new ConnectorError("unavailable", "Google Drive does not show this copy yet.");
  // Another writer created the same file meanwhile. Its file may be recorded already, so delete ours.
  if (made !== null && file.id !== made.id) await deleteFile(session, made.id);
  return storedFile(order, file);
}

function unexpected(): ConnectorError {
  return new ConnectorError("malformed", "Google Drive holds other bytes of this copy than were sent.");
}
