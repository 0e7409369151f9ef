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
/** Held in memory while it is sent, so that its hash can go before it. A request may carry 150 MiB. */
const PART_BYTES = 2 * BLOCK_BYTES;
/** Largest file of an upload session (Dropbox API, files/upload_session/start). */
const MOST_BYTES = 350 * 1024 ** 3;
/** So often Dropbox may name another offset than ours before we give up. */
const MOST_CORRECTIONS = 20;

/** An upload session and how much of the file it holds. */
const uploadSchema = z.strictObject({ sessionId: z.string().min(1), offset: z.int().nonnegative() });
const uploadForm = storedJson(1, uploadSchema);
type Upload = z.output<typeof uploadSchema>;

const sessionSchema = z.object({ session_id: z.string().min(1) });
const spaceSchema = z.object({
  used: z.number(),
  allocation: z.object({ used: z.number().optional(), allocated: z.number().optional() }),
});

/**
 * Writes one file: at once when it fits into a part, otherwise through an upload session. Every part carries its hash,
 * so that Dropbox refuses bytes that were damaged on the way, and the offset it belongs to, so that a part that was sent
 * twice is taken once. The file is seen when the session is finished.
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
    // The end may have arrived though its answer did not.
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

/** Sends what is missing and finishes; `forgotten` when Dropbox does not know the session any more. */
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
    // A slice that has sent nothing has nothing new to remember.
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
    // A part whose answer was lost has arrived: Dropbox tells how much it has.
    if (step.correctOffset > order.sizeBytes || corrections > MOST_CORRECTIONS) {
      throw new ConnectorError("malformed", "Dropbox holds other bytes of this copy than were sent.");
    }
    upload = { ...upload, offset: step.correctOffset };
  }
}

/** A beginning whose answer is lost leaves a session that Dropbox forgets by itself. */
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

/** A full Dropbox says so only at the end of an upload: a large one is not begun in vain. */
async function expectRoom(session: StorageSession, { sizeBytes }: PutOrder): Promise<void> {
  const outcome = await callRoute(session, "users/get_space_usage", null, spaceSchema);
  if (outcome.kind === "error") throw unexpected();
  const { used, allocation } = outcome.value;
  // A team shares one allocation, and its use counts; an allocation of 0 has no bound of its own.
  const isFull =
    (allocation.allocated ?? 0) > 0 && (allocation.used ?? used) + sizeBytes > (allocation.allocated ?? 0);
  if (isFull) throw new ConnectorError("full", "There is no room left in this Dropbox for this copy.");
}

/**
 * Nobody's desktop is to flash for a copy (`mute`). Adding the same bytes again changes nothing and keeps the revision that
 * was told before; our own earlier file with other bytes is replaced.
 */
function commitOf(order: PutOrder, mode: "add" | "overwrite") {
  return { path: pathOf(order), mode, autorename: false, mute: true };
}

/** At the path lies a file with other bytes. */
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

/** Hex SHA-256 of the SHA-256 of every block. */
async function contentHash(bytes: Uint8Array): Promise<string> {
  const hashes: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += BLOCK_BYTES) {
    hashes.push(await sha256(bytes.subarray(at, at + BLOCK_BYTES)));
  }
  return toHex(await sha256(concatBytes(...hashes)));
}

/** The session is unknown or at another offset: what to do next follows from that. */
function isAboutSession({ tags, correctOffset }: RouteError): boolean {
  const isLookup = tags[0] === "lookup_failed" || tags.length === 1;
  return correctOffset !== null || (isLookup && tags.at(-1) === "not_found");
}

function unexpected(): ConnectorError {
  return new ConnectorError("malformed", "Dropbox gave an answer about this copy that is not known.");
}
