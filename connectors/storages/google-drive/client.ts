import { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { StorageSession } from "#connectors/contract/storage-connector.ts";
import { type BytesAnswer, type BytesApi, callWithBytes } from "#connectors/toolkit/bytes-client.ts";
import { readRefusal } from "./refusal.ts";

const api: BytesApi = { label: "Google Drive", refusal: readRefusal };
const FILES = "/drive/v3/files";

/** The fields of a file that we request. Sizes are strings, because they may exceed JSON's numbers. */
export const FILE_FIELDS = "id,name,size,headRevisionId,trashed,createdTime";

/** Metadata of a file with bytes. */
export const fileSchema = z.object({
  id: z.string().min(1),
  name: z.string(),
  size: z
    .string()
    .regex(/^[0-9]{1,15}$/)
    .transform(Number),
  headRevisionId: z.string().min(1),
  trashed: z.boolean().default(false),
  createdTime: z.string(),
});
/** Parsed metadata of a file with bytes. */
export type DriveFile = z.output<typeof fileSchema>;

/** Searches the files that Holdfast has created, oldest first. @throws ConnectorError */
export async function searchFiles<S extends z.ZodType>(
  session: StorageSession,
  terms: readonly string[],
  fields: string,
  schema: S,
): Promise<z.output<S>[]> {
  const query = new URLSearchParams({
    q: [...terms, "trashed = false"].join(" and "),
    orderBy: "createdTime",
    pageSize: "100",
    spaces: "drive",
    fields: `files(${fields})`,
  });
  const answer = await call(session, { method: "GET", path: `${FILES}?${query}` });
  return readAnswer(answer, z.object({ files: z.array(schema) })).files;
}

/** Creates a folder. @throws ConnectorError */
export async function createFolder(session: StorageSession, metadata: object): Promise<string> {
  const mimeType = FOLDER_TYPE;
  const answer = await call(session, {
    method: "POST",
    path: `${FILES}?fields=id`,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...metadata, mimeType }),
    // A repeated request would create a second folder with the same name.
    isOnce: true,
  });
  return readAnswer(answer, z.object({ id: z.string().min(1) })).id;
}

/** Deletes a file permanently, bypassing the trash. Returns false if it did not exist. @throws ConnectorError */
export async function deleteFile(session: StorageSession, id: string): Promise<boolean> {
  const path = `${FILES}/${encodeURIComponent(id)}`;
  const answer = await call(session, { method: "DELETE", path, allows: [404] });
  return answer.status !== 404;
}

/**
 * Opens a resumable upload for a new file, or for new bytes of an existing one.
 *
 * @returns its path below the API's URL, which contains Drive's id of the upload
 */
export async function openUpload(
  session: StorageSession,
  { updates, metadata, mediaType, sizeBytes }: UploadOrder,
): Promise<string> {
  const place = updates === null ? "" : `/${encodeURIComponent(updates)}`;
  const query = new URLSearchParams({ uploadType: "resumable", fields: FILE_FIELDS });
  const answer = await call(session, {
    method: updates === null ? "POST" : "PATCH",
    path: `/upload${FILES}${place}?${query}`,
    headers: {
      "content-type": "application/json; charset=UTF-8",
      "x-upload-content-type": mediaType,
      "x-upload-content-length": String(sizeBytes),
    },
    body: JSON.stringify(metadata),
  });
  return belowApi(session, answer.headers.get("location"));
}

/** The file to upload. */
export type UploadOrder = {
  /** Id of the file whose bytes are replaced; null = a new file. */
  updates: string | null;
  metadata: object;
  mediaType: string;
  sizeBytes: number;
};

/** The progress of an upload. */
export type UploadState =
  | { kind: "under-way"; bytes: number }
  /** `file` is null when Drive's response does not describe the file. */
  | { kind: "done"; file: DriveFile | null }
  | { kind: "forgotten" };

/**
 * Sends a part of an upload, or queries its progress when `part` is null.
 * @throws ConnectorError; after `unavailable` the caller must query the progress
 */
export async function sendPart(
  session: StorageSession,
  address: string,
  part: { bytes: Uint8Array; offset: number } | null,
  sizeBytes: number,
): Promise<UploadState> {
  const range =
    part === null || part.bytes.length === 0 ? "*" : `${part.offset}-${part.offset + part.bytes.length - 1}`;
  const answer = await call(session, {
    method: "PUT",
    path: address,
    headers: { "content-range": `bytes ${range}/${sizeBytes}` },
    body: part?.bytes ?? new Uint8Array(0),
    allows: [308, 404, 410],
    ...(part === null ? {} : { isOnce: true as const }),
  });
  if (answer.status === 404 || answer.status === 410) return { kind: "forgotten" };
  if (answer.status !== 308) {
    return { kind: "done", file: answer.text === "" ? null : readAnswer(answer, fileSchema) };
  }
  return { kind: "under-way", bytes: receivedBytes(answer.headers.get("range")) };
}

/** Quotes a text for a search query. */
export function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

/** MIME type of a folder. */
export const FOLDER_TYPE = "application/vnd.google-apps.folder";

type DriveCall = {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  allows?: readonly number[];
  isOnce?: true;
};

function call(session: StorageSession, { path, ...order }: DriveCall): Promise<BytesAnswer> {
  const url = `${session.config.GOOGLE_DRIVE_API_URL}${path}`;
  return callWithBytes(session, api, { ...order, url, about: "this copy" });
}

function readAnswer<S extends z.ZodType>(answer: BytesAnswer, schema: S): z.output<S> {
  const parsed = schema.safeParse(readJson(answer.text));
  if (parsed.success) return parsed.data;
  throw new ConnectorError("malformed", "Google Drive's answer about this copy is not of the known form.");
}

/** Checks that the upload's address belongs to the API, because the token is sent to it. */
function belowApi({ config }: StorageSession, location: string | null): string {
  const base = config.GOOGLE_DRIVE_API_URL ?? "";
  if (location?.startsWith(`${base}/upload/`)) return location.slice(base.length);
  throw new ConnectorError("malformed", "Google Drive names no address for the upload of this copy.");
}

/** `bytes=0-99` means 100 bytes; no header means 0. */
function receivedBytes(range: string | null): number {
  const last = /^bytes=0-([0-9]{1,15})$/.exec(range ?? "")?.[1];
  return last === undefined ? 0 : Number(last) + 1;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
