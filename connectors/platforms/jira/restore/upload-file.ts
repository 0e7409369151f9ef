import { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { EntryInfo, SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { httpProblem } from "#connectors/toolkit/http-client.ts";
import { openUploadBody } from "#connectors/toolkit/upload-body.ts";
import { HOUR_MS } from "#core/kernel/clock.ts";
import { utf8 } from "#core/kernel/crypto.ts";
import { APP_QUOTA, readApiToken, siteApi } from "../client.ts";
import type { AttachmentFacts } from "../record-types.ts";
import { writePaths } from "../write-paths.ts";
import { accountOf } from "./account.ts";
import type { RestoreIo } from "./restore-io.ts";

const UPLOAD_TIMEOUT_MS = HOUR_MS;
const EXCERPT_LENGTH = 4_096;
const attachmentsSchema = z
  .array(z.object({ id: z.union([z.string(), z.number()]).transform(String), filename: z.string() }))
  .min(1);

/** Attaches a file to an issue as multipart form data (RFC 7578), one chunk at a time. @throws ConnectorError */
export async function uploadFile(
  { session, snapshot }: Pick<RestoreIo, "session" | "snapshot">,
  issueKey: string,
  { facts, entry }: { facts: AttachmentFacts; entry: EntryInfo },
): Promise<{ id: string; filename: string; size: number }> {
  const token = await session.accessToken();
  const api = siteApi(session.config, accountOf(session).cloudId, token);
  const boundary = `holdfast-${crypto.randomUUID()}`;
  const head = utf8(formHead(boundary, facts));
  const tail = utf8(`\r\n--${boundary}--\r\n`);
  const length = head.length + entry.sizeBytes + tail.length;
  const source = openUploadBody(formParts(head, snapshot, { entry, tail }), length);
  await session.spend(1, "attachment");
  if (readApiToken(token) === null) await session.spend(1, APP_QUOTA.resource);
  const about = `the file ${facts.filename}`;
  let response: Response;
  let text: string;
  try {
    response = await session.fetch(`${api.baseUrl}${writePaths.attachments(issueKey)}`, {
      method: "POST",
      headers: {
        ...api.headers,
        accept: "application/json",
        authorization: api.authorization?.(token) ?? `Bearer ${token}`,
        // Jira blocks uploads without it as forged ones.
        "x-atlassian-token": "no-check",
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
    throw (
      source.failure() ?? new ConnectorError("unavailable", "Jira broke the upload of a file off.", { cause })
    );
  }
  if (response.status !== 200) {
    const call = { about, missing: "forbidden", quota: "attachment", method: "POST", path: "" } as const;
    const now = session.clock.now();
    const problem = api.readProblem?.(response, text, call, now);
    if (problem?.limits) await session.report(problem.limits);
    throw (
      problem?.error ?? httpProblem({ platform: "Jira" }, call, response, text.slice(0, EXCERPT_LENGTH), now)
    );
  }
  try {
    const [made] = attachmentsSchema.parse(JSON.parse(text));
    return { id: made?.id ?? "", filename: facts.filename, size: entry.sizeBytes };
  } catch (cause) {
    throw new ConnectorError("malformed", `Jira's answer about ${about} is not of the known form.`, {
      cause,
    });
  }
}

function formHead(boundary: string, { filename, mimeType }: AttachmentFacts): string {
  const type = mimeType && /^[\w.+-]+\/[\w.+-]+$/.test(mimeType) ? mimeType : "application/octet-stream";
  return [
    `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${quotedName(filename)}"\r\n`,
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
