import type { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { Session } from "#connectors/contract/session.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { HOUR_MS } from "#core/kernel/clock.ts";
import { utf8 } from "#core/kernel/crypto.ts";
import { withinTime } from "#core/kernel/within-time.ts";
import { type HttpApi, httpProblem } from "./http-client.ts";
import { openUploadBody } from "./upload-body.ts";

const UPLOAD_TIMEOUT_MS = HOUR_MS;
const EXCERPT_LENGTH = 4_096;

/** A file of a version, and where it goes. */
export type FormUpload = {
  /** Its path below the API's base URL, and headers beside the API's own. */
  to: { path: string; headers?: Readonly<Record<string, string>> };
  token: string;
  /** What the call is about, for messages: "the file plan.pdf". */
  about: string;
  /** The quota it draws on, if it is not the API's. */
  quota?: string;
  /** Text fields before the file. */
  fields?: readonly (readonly [name: string, value: string])[];
  file: { name: string; mimeType: string | null; entry: { path: string; sizeBytes: number } };
};

/**
 * Sends a file as multipart form data (RFC 7578), in the field `file`, one chunk at a time. The caller has reserved the
 * request.
 *
 * @throws ConnectorError
 */
export async function uploadForm<S extends z.ZodType>(
  { session, snapshot }: { session: Session; snapshot: SnapshotView },
  api: HttpApi,
  { to, token, about, quota, fields = [], file }: FormUpload,
  schema: S,
): Promise<z.output<S>> {
  const boundary = `holdfast-${crypto.randomUUID()}`;
  const head = utf8(formHead(boundary, fields, file));
  const tail = utf8(`\r\n--${boundary}--\r\n`);
  const length = head.length + file.entry.sizeBytes + tail.length;
  const source = openUploadBody(formParts(head, snapshot.read(file.entry.path), tail), length);
  let response: Response;
  let text: string;
  try {
    ({ response, text } = await withinTime(UPLOAD_TIMEOUT_MS, async (signal) => {
      const response = await session.fetch(`${api.baseUrl}${to.path}`, {
        method: "POST",
        headers: {
          ...api.headers,
          accept: "application/json",
          authorization: api.authorization?.(token) ?? `Bearer ${token}`,
          ...to.headers,
          "content-type": `multipart/form-data; boundary=${boundary}`,
          "content-length": String(length),
        },
        body: source.body,
        redirect: "manual",
        signal,
        duplex: "half",
      } as RequestInit);
      return { response, text: await response.text() };
    }));
  } catch (cause) {
    const message = `${api.platform} broke the upload of a file off.`;
    throw source.failure() ?? new ConnectorError("unavailable", message, { cause });
  }
  if (response.status < 200 || response.status >= 300) {
    const now = session.clock.now();
    const call = { about, missing: "forbidden", ...(quota === undefined ? {} : { quota }) } as const;
    const problem = api.readProblem?.(response, text, call, now);
    if (problem?.limits) await session.report(problem.limits);
    throw problem?.error ?? httpProblem(api, call, response, text.slice(0, EXCERPT_LENGTH), now);
  }
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    const message = `${api.platform}'s answer about ${about} is not of the known form.`;
    throw new ConnectorError("malformed", message, { cause });
  }
}

/** The type of a file as it may stand in a header. */
export function headerType(mimeType: string | null): string {
  return mimeType && /^[\w.+-]+\/[\w.+-]+$/.test(mimeType) ? mimeType : "application/octet-stream";
}

function formHead(
  boundary: string,
  fields: readonly (readonly [string, string])[],
  { name, mimeType }: FormUpload["file"],
): string {
  const part = (disposition: string, rest: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; ${disposition}\r\n${rest}`;
  return [
    ...fields.map(([key, value]) => part(`name="${key}"`, `\r\n${value}\r\n`)),
    part(`name="file"; filename="${quotedName(name)}"`, `content-type: ${headerType(mimeType)}\r\n\r\n`),
  ].join("");
}

/** Percent-encodes quotes and line breaks, as browsers do (HTML standard, multipart form data). */
function quotedName(name: string): string {
  return name.replace(/"/g, "%22").replace(/\r/g, "%0D").replace(/\n/g, "%0A");
}

async function* formParts(
  head: Uint8Array,
  bytes: AsyncIterable<Uint8Array>,
  tail: Uint8Array,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield head;
  yield* bytes;
  yield tail;
}
