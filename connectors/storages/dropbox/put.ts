import { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type {
  PutEvent,
  PutOrder,
  StorageSession,
  StoredFile,
} from "#connectors/contract/storage-connector.ts";
import { readRange } from "#connectors/toolkit/bytes-client.ts";
import { concatBytes, sha256, toHex } from "#core/kernel/crypto.ts";
import { storedJson } from "#core/kernel/stored-json.ts";
import { callRoute, sendBytes } from "./client.ts";
import { fileSchema, findFile, pathOf, storedFile } from "./find.ts";
import type { RouteError } from "./refusal.ts";

/** Dropbox hashes blocks of this size (dropbox.com/developers/reference/content-hash). */
const BLOCK_BYTES = 4 * 1024 * 1024;
/** A part is held in memory, because its hash is sent before it. Requests may carry up to 150 MiB. */
const PART_BYTES = 2 * BLOCK_BYTES;
/** Largest file of an upload session (Dropbox API, files/upload_session/start). */
const MOST_BYTES = 350 * 1024 ** 3;
/** The number of offset corrections by Dropbox after which we give up. */
const MOST_CORRECTIONS = 20;

/** An upload session and the number of bytes it has received. */
const uploadSchema = z.strictObject({ sessionId: z.string().min(1), offset: z.int().nonnegative() });
const uploadForm = storedJson(1, uploadSchema);
type Upload = z.output<typeof uploadSchema>;

const sessionSchema = z.object({ session_id: z.string().min(1) });
const spaceSchema = z.object({
  used: z.number(),
  allocation: z.object({ used: z.number().optional(), allocated: z.number().optional() }),
});

/**
 * Writes one file: in one request if it fits into a part, otherwise through an upload session. Each part is sent with
 * its hash, so that Dropbox rejects bytes damaged in transit, and with its offset, so that a part sent twice is
 * stored once. The file becomes visible when the session is finished.
 */
export async function* put(session: StorageSession, order: PutOrder): AsyncGenerator<PutEvent, StoredFile> {
  if (order.sizeBytes > MOST_BYTES) {
    throw new ConnectorError("unsupported", "This version is too large to be copied to Dropbox.");
  }
  if (order.sizeBytes <= PART_BYTES) return putWhole(session, order);
  if (order.cursor === null) await expectRoom(session, order);
  let upload = uploadForm.resume(order.cursor);
  for (let isLastTry = upload === null; ; isLastTry = true) {
    const outcome = yield* putParts(session, order, upload);
    if (outcome !== "forgotten") return outcome;
    // The finish request may have arrived even if its response was lost.
    const found = await findFile(session, order);
    if (found?.sizeBytes === order.sizeBytes) return found;
    if (isLastTry) throw new ConnectorError("unavailable", "Dropbox has forgotten the upload of this copy.");
    upload = null;
  }
}

async function putWhole(session: StorageSession, order: PutOrder): Promise<StoredFile> {
  const bytes = await readRange(order, 0, order.sizeBytes);
  const content_hash = await contentHash(bytes);
  const route = "files/upload";
  const added = { arg: { ...commitOf(order, "add"), content_hash }, bytes };
  const outcome = await sendBytes(session, route, added, fileSchema, isOtherFile);
  if (outcome.kind === "result") return wholeFile(order, outcome);
  const replaced = { arg: { ...commitOf(order, "overwrite"), content_hash }, bytes };
  return wholeFile(order, await sendBytes(session, route, replaced, fileSchema));
}

/** Sends the remaining parts and finishes the session; `forgotten` = Dropbox no longer knows it. */
async function* putParts(
  session: StorageSession,
  order: PutOrder,
  begun: Upload | null,
): AsyncGenerator<PutEvent, StoredFile | "forgotten"> {
  let upload = begun ?? (await begin(session, order));
  let known = begun?.offset ?? 0;
  let corrections = 0;
  for (;;) {
    yield { type: "progress", bytes: upload.offset };
    // No checkpoint for a slice that has sent nothing.
    if (upload.offset > known) yield { type: "checkpoint", cursor: uploadForm.write(upload) };
    known = upload.offset;
    const isWhole = upload.offset === order.sizeBytes;
    const step = isWhole ? await finish(session, order, upload) : await append(session, order, upload);
    if ("mark" in step) return step;
    if (step.kind === "taken") {
      upload = { ...upload, offset: step.offset };
      continue;
    }
    if (step.correctOffset === null) return "forgotten";
    corrections += 1;
    // The part arrived but its response was lost: Dropbox reports how much it has.
    if (step.correctOffset > order.sizeBytes || corrections > MOST_CORRECTIONS) {
      throw new ConnectorError("malformed", "Dropbox holds other bytes of this copy than were sent.");
    }
    upload = { ...upload, offset: step.correctOffset };
  }
}

/** If the response is lost, Dropbox deletes the unused session by itself. */
async function begin(session: StorageSession, order: PutOrder): Promise<Upload> {
  const bytes = await readRange(order, 0, Math.min(PART_BYTES, order.sizeBytes));
  const arg = { content_hash: await contentHash(bytes) };
  const outcome = await sendBytes(session, "files/upload_session/start", { arg, bytes }, sessionSchema);
  if (outcome.kind === "error") throw unexpected();
  return { sessionId: outcome.value.session_id, offset: bytes.length };
}

type Step = { kind: "taken"; offset: number } | { kind: "refused"; correctOffset: number | null };

async function append(session: StorageSession, order: PutOrder, upload: Upload): Promise<Step> {
  const length = Math.min(PART_BYTES, order.sizeBytes - upload.offset);
  const bytes = await readRange(order, upload.offset, length);
  const arg = { cursor: cursorOf(upload), content_hash: await contentHash(bytes) };
  const route = "files/upload_session/append_v2";
  const outcome = await sendBytes(session, route, { arg, bytes }, z.null(), isAboutSession);
  if (outcome.kind === "error") return { kind: "refused", correctOffset: outcome.error.correctOffset };
  return { kind: "taken", offset: upload.offset + length };
}

async function finish(
  session: StorageSession,
  order: PutOrder,
  upload: Upload,
  mode: "add" | "overwrite" = "add",
): Promise<Step | StoredFile> {
  const arg = { cursor: cursorOf(upload), commit: commitOf(order, mode) };
  const sent = { arg, bytes: new Uint8Array(0) };
  const knows = (error: RouteError) => isAboutSession(error) || (mode === "add" && isOtherFile(error));
  const outcome = await sendBytes(session, "files/upload_session/finish", sent, fileSchema, knows);
  if (outcome.kind === "result") return wholeFile(order, outcome);
  if (isOtherFile(outcome.error)) return finish(session, order, upload, "overwrite");
  return { kind: "refused", correctOffset: outcome.error.correctOffset };
}

/** Checks the free space before a large upload, because Dropbox reports a full account only at the end. */
async function expectRoom(session: StorageSession, { sizeBytes }: PutOrder): Promise<void> {
  const outcome = await callRoute(session, "users/get_space_usage", null, spaceSchema);
  if (outcome.kind === "error") throw unexpected();
  const { used, allocation } = outcome.value;
  // A team shares one allocation and its usage. An allocation of 0 means no separate limit.
  const isFull =
    (allocation.allocated ?? 0) > 0 && (allocation.used ?? used) + sizeBytes > (allocation.allocated ?? 0);
  if (isFull) throw new ConnectorError("full", "There is no room left in this Dropbox for this copy.");
}

/**
 * `mute` avoids desktop notifications. Adding the same bytes again changes nothing and keeps the revision. Our own
 * earlier file with other bytes is overwritten.
 */
function commitOf(order: PutOrder, mode: "add" | "overwrite") {
  return { path: pathOf(order), mode, autorename: false, mute: true };
}

/** Whether another file with different bytes exists at the path. */
function isOtherFile({ tags }: RouteError): boolean {
  return tags.at(-2) === "conflict" && tags.at(-1) === "file";
}

function cursorOf({ sessionId, offset }: Upload) {
  return { session_id: sessionId, offset };
}

function wholeFile(order: PutOrder, outcome: Awaited<ReturnType<typeof sendBytes<typeof fileSchema>>>) {
  if (outcome.kind === "error") throw unexpected();
  if (outcome.value.size !== order.sizeBytes) {
    throw new ConnectorError("malformed", "Dropbox holds a copy of another size than was sent.");
  }
  return storedFile(order, outcome.value);
}

/** Hex SHA-256 of the concatenated SHA-256 hashes of all blocks. */
async function contentHash(bytes: Uint8Array): Promise<string> {
  const hashes: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += BLOCK_BYTES) {
    hashes.push(await sha256(bytes.subarray(at, at + BLOCK_BYTES)));
  }
  return toHex(await sha256(concatBytes(...hashes)));
}

/** Whether the session is unknown or has another offset; the caller can handle both. */
function isAboutSession({ tags, correctOffset }: RouteError): boolean {
  const isLookup = tags[0] === "lookup_failed" || tags.length === 1;
  return correctOffset !== null || (isLookup && tags.at(-1) === "not_found");
}

function unexpected(): ConnectorError {
  return new ConnectorError("malformed", "Dropbox gave an answer about this copy that is not known.");
}
