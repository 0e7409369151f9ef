import { createHash } from "node:crypto";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { EntryInfo, SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { openDownload } from "#connectors/toolkit/download.ts";
import { httpProblem } from "#connectors/toolkit/http-client.ts";
import { openUploadBody } from "#connectors/toolkit/upload-body.ts";
import { HOUR_MS } from "#core/kernel/clock.ts";
import { utf8 } from "#core/kernel/crypto.ts";
import { attachmentDownload } from "../backup/download-attachment.ts";
import { paths, trelloApi } from "../client.ts";
import { attachmentSchema, type TrelloAttachment } from "../payloads.ts";
import type { RestoreIo } from "./restore-io.ts";

/** Maximum length of a file name at Trello. */
const LONGEST_NAME = 256;
const UPLOAD_TIMEOUT_MS = HOUR_MS;
const EXCERPT_LENGTH = 4_096;

/** Sends a file as multipart form data (RFC 7578), one chunk at a time. @throws ConnectorError */
export async function uploadAttachment(
  io: RestoreIo,
  cardId: string,
  { attachment, entry }: { attachment: TrelloAttachment; entry: EntryInfo },
): Promise<TrelloAttachment> {
  const { session } = io;
  const api = trelloApi(session.config);
  const boundary = `holdfast-${crypto.randomUUID()}`;
  const head = utf8(formHead(boundary, attachment));
  const tail = utf8(`\r\n--${boundary}--\r\n`);
  const length = head.length + entry.sizeBytes + tail.length;
  const source = openUploadBody(formParts(head, io.snapshot, { entry, tail }), length);
  const token = await session.accessToken();
  await session.spend(1);
  let response: Response;
  let text: string;
  try {
    response = await session.fetch(`${api.baseUrl}${paths.attachments(cardId)}`, {
      method: "POST",
      headers: {
        ...api.headers,
        accept: "application/json",
        authorization: api.authorization?.(token) ?? `Bearer ${token}`,
        "content-type": `multipart/form-data; boundary=${boundary}`,
        "content-length": String(length),
      },
      body: source.body,
      redirect: "manual",
      signal: AbortSignal.timeout(UPLOAD_TIMEOUT_MS),
      duplex: "half",
    } as RequestInit);
    text = await response.text();
  } catch (cause) {
    const message = "Trello broke the upload of a file off.";
    throw source.failure() ?? new ConnectorError("unavailable", message, { cause });
  }
  const about = `the file ${attachment.name}`;
  if (response.status < 200 || response.status >= 300) {
    const now = session.clock.now();
    const call = { about, missing: "forbidden" } as const;
    const problem = api.readProblem?.(response, text, call, now);
    if (problem?.limits) await session.report(problem.limits);
    throw (
      problem?.error ??
      httpProblem({ platform: "Trello" }, call, response, text.slice(0, EXCERPT_LENGTH), now)
    );
  }
  try {
    return attachmentSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new ConnectorError("malformed", `Trello's answer about ${about} is not of the known form.`, {
      cause,
    });
  }
}

function formHead(boundary: string, { name, fileName, mimeType }: TrelloAttachment): string {
  const field = (key: string, value: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${key}"\r\n\r\n${value}\r\n`;
  const shown = [...name]
    .slice(0, LONGEST_NAME)
    .join("")
    .replace(/[\r\n]+/g, " ");
  const type = mimeType && /^[\w.+-]+\/[\w.+-]+$/.test(mimeType) ? mimeType : "application/octet-stream";
  return [
    field("name", shown),
    ...(mimeType === null ? [] : [field("mimeType", type)]),
    field("setCover", "false"),
    `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${quotedName(fileName ?? name)}"\r\n`,
    `content-type: ${type}\r\n\r\n`,
  ].join("");
}

/** Percent-encodes quotes and line breaks, as browsers do (HTML standard, multipart form data). */
function quotedName(name: string): string {
  return name.replace(/"/g, "%22").replace(/\r/g, "%0D").replace(/\n/g, "%0A");
}

async function* formParts(
  head: Uint8Array,
  snapshot: SnapshotView,
  { entry, tail }: { entry: EntryInfo; tail: Uint8Array },
): AsyncGenerator<Uint8Array, void, undefined> {
  yield head;
  yield* snapshot.read(entry.path);
  yield tail;
}

/**
 * Downloads an uploaded file and compares its hash with the version's. Deletes the file if they differ.
 *
 * @throws ConnectorError `unsupported` when the bytes differ
 */
export async function verifyUpload(
  io: RestoreIo,
  cardId: string,
  { uploaded, entry }: { uploaded: TrelloAttachment; entry: EntryInfo },
): Promise<void> {
  const hash = createHash("sha256");
  const download = attachmentDownload(io.session, cardId, uploaded);
  const { write } = await openDownload(io.session, { ...download, sizeBytes: null });
  await write({ write: (chunk) => void hash.update(chunk) });
  if (hash.digest("hex") === entry.hash) return;
  const path = paths.attachment(cardId, uploaded.id);
  await io.client.send({ method: "DELETE", path, about: download.about, missing: "forbidden" });
  throw new ConnectorError(
    "unsupported",
    "Trello holds other bytes than were sent, so the file was taken away again.",
  );
}
