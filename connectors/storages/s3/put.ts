import { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type {
  PutEvent,
  PutOrder,
  StorageSession,
  StoredFile,
} from "#connectors/contract/storage-connector.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { storedJson } from "#core/kernel/stored-json.ts";
import { callS3, objectKey, requireText, type S3Answer } from "./client.ts";
import { findObject, KEY_HEADER } from "./find.ts";
import { elementsOf, textOf } from "./refusal.ts";

/** A part is held in memory, because its hash is signed. S3 requires at least 5 MiB. */
const PART_BYTES = 8 * 1024 * 1024;
const LARGEST_PART_BYTES = 64 * 1024 * 1024;
const MOST_PARTS = 10_000;
const MIB = 1024 * 1024;
const NAMESPACE = "http://s3.amazonaws.com/doc/2006-03-01/";

/** An unfinished multipart upload. S3 itself lists the parts it has. */
const uploadForm = storedJson(
  1,
  z.strictObject({
    uploadId: z.string().min(1),
    partBytes: z.int().positive(),
    parts: z.int().nonnegative(),
  }),
);
type Upload = { uploadId: string; partBytes: number; parts: number };

/**
 * Writes one object: in one request if it fits into a part, otherwise as a multipart upload. The signature of each
 * part includes its hash, so that S3 rejects bytes damaged in transit. The object becomes visible with the last call.
 */
export async function* put(session: StorageSession, order: PutOrder): AsyncGenerator<PutEvent, StoredFile> {
  if (order.sizeBytes <= PART_BYTES) return putWhole(session, order);
  const resumed = uploadForm.resume(order.cursor);
  let upload = resumed ?? (await begin(session, order));
  let isFresh = resumed === null;
  for (;;) {
    try {
      yield* putParts(session, order, upload);
      return await complete(session, order, upload);
    } catch (error) {
      if (!isUploadGone(error)) throw error;
      // The completion may have arrived even if its response was lost.
      const found = await findObject(session, order);
      if (found?.sizeBytes === order.sizeBytes) return found;
      if (isFresh) throw error;
      upload = await begin(session, order);
      isFresh = true;
    }
  }
}

/** Aborts an unfinished upload, whose parts would otherwise cost money indefinitely. */
export async function abandon(session: StorageSession, order: { path: string; cursor: Json }): Promise<void> {
  const upload = uploadForm.read(order.cursor);
  // The cursor does not name the upload; the next upload to this path aborts it.
  if (upload.kind === "unreadable") return;
  await abort(session, objectKey(order.path), upload.value.uploadId);
}

async function putWhole(session: StorageSession, order: PutOrder): Promise<StoredFile> {
  const body = await readPart(order, 0, order.sizeBytes);
  const answer = await callS3(session, {
    method: "PUT",
    key: objectKey(order.path),
    headers: { "content-type": order.mediaType, [KEY_HEADER]: order.key },
    body,
  });
  return stored(order, answer.headers.get("etag"));
}

/** Starts an upload. First aborts an earlier one whose response was lost, if the keys allow listing. */
async function begin(session: StorageSession, order: PutOrder): Promise<Upload> {
  const partBytes = Math.max(PART_BYTES, Math.ceil(order.sizeBytes / MOST_PARTS / MIB) * MIB);
  if (partBytes > LARGEST_PART_BYTES) {
    throw new ConnectorError("unsupported", "This version is too large to be copied to AWS S3.");
  }
  const key = objectKey(order.path);
  await endEarlier(session, key);
  const answer = await callS3(session, {
    method: "POST",
    key,
    query: [["uploads", ""]],
    headers: { "content-type": order.mediaType, [KEY_HEADER]: order.key },
    isOnce: true,
  });
  return { uploadId: requireText(answer, "UploadId"), partBytes, parts: 0 };
}

async function endEarlier(session: StorageSession, key: string): Promise<void> {
  const query = [
    ["prefix", key],
    ["uploads", ""],
  ] as const;
  const answer = await callS3(session, { method: "GET", key: null, query, allows: [403] });
  if (answer.status === 403) return;
  for (const each of elementsOf(answer.text, "Upload")) {
    const uploadId = textOf(each, "UploadId");
    if (uploadId !== null && textOf(each, "Key") === key) await abort(session, key, uploadId);
  }
}

async function* putParts(
  session: StorageSession,
  order: PutOrder,
  upload: Upload,
): AsyncGenerator<PutEvent, void> {
  const total = Math.ceil(order.sizeBytes / upload.partBytes);
  for (let part = upload.parts; part < total; part++) {
    const offset = part * upload.partBytes;
    const length = Math.min(upload.partBytes, order.sizeBytes - offset);
    await callS3(session, {
      method: "PUT",
      key: objectKey(order.path),
      query: [
        ["partNumber", String(part + 1)],
        ["uploadId", upload.uploadId],
      ],
      body: await readPart(order, offset, length),
    });
    yield { type: "progress", bytes: offset + length };
    yield { type: "checkpoint", cursor: uploadForm.write({ ...upload, parts: part + 1 }) };
  }
}

async function complete(session: StorageSession, order: PutOrder, upload: Upload): Promise<StoredFile> {
  const parts = await listParts(session, order, upload);
  const total = parts.reduce((sum, part) => sum + part.size, 0);
  if (total !== order.sizeBytes) {
    throw new ConnectorError("malformed", "AWS S3 holds other parts of the copy than were sent.");
  }
  const xml = parts.map(
    ({ number, etag }) => `<Part><PartNumber>${number}</PartNumber><ETag>${etag}</ETag></Part>`,
  );
  const answer = await callS3(session, {
    method: "POST",
    key: objectKey(order.path),
    query: [["uploadId", upload.uploadId]],
    headers: { "content-type": "application/xml" },
    body: new TextEncoder().encode(
      `<CompleteMultipartUpload xmlns="${NAMESPACE}">${xml.join("")}</CompleteMultipartUpload>`,
    ),
  });
  return stored(order, textOf(answer.text, "ETag"));
}

async function listParts(
  session: StorageSession,
  order: PutOrder,
  { uploadId }: Upload,
): Promise<{ number: number; etag: string; size: number }[]> {
  const parts: { number: number; etag: string; size: number }[] = [];
  for (let marker = "0"; ; ) {
    const answer: S3Answer = await callS3(session, {
      method: "GET",
      key: objectKey(order.path),
      query: [
        ["part-number-marker", marker],
        ["uploadId", uploadId],
      ],
    });
    for (const part of elementsOf(answer.text, "Part")) {
      const number = Number(textOf(part, "PartNumber"));
      parts.push({ number, etag: textOf(part, "ETag") ?? "", size: Number(textOf(part, "Size")) });
    }
    const next = textOf(answer.text, "NextPartNumberMarker");
    if (textOf(answer.text, "IsTruncated") !== "true" || next === null || next === marker) return parts;
    marker = next;
  }
}

async function abort(session: StorageSession, key: string, uploadId: string): Promise<void> {
  await callS3(session, { method: "DELETE", key, query: [["uploadId", uploadId]], allows: [404] });
}

async function readPart(order: PutOrder, offset: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  let used = 0;
  for await (const chunk of order.read({ offset, length })) {
    if (used + chunk.length > length) break;
    bytes.set(chunk, used);
    used += chunk.length;
  }
  if (used !== length) throw new Error(`${order.path} gave ${used} bytes of ${length}`);
  return bytes;
}

function stored({ path, key, sizeBytes }: PutOrder, mark: string | null): StoredFile {
  if (mark === null) throw new ConnectorError("malformed", "AWS S3 did not say what it has stored.");
  return { path, key, sizeBytes, mark };
}

const isUploadGone = (error: unknown) =>
  error instanceof ConnectorError && error.kind === "malformed" && /NoSuchUpload/.test(error.message);
