import { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import { httpProblem } from "#connectors/toolkit/http-client.ts";
import { readNote } from "#connectors/toolkit/records/read-note.ts";
import { openUploadBody } from "#connectors/toolkit/upload-body.ts";
import { HOUR_MS } from "#core/kernel/clock.ts";
import { almanacApi, paths, UPLOAD_QUOTA } from "../client.ts";
import { type FileFacts, madeSchema } from "../payloads.ts";
import type { RestoreIo } from "./restore-io.ts";

const EXCERPT_LENGTH = 4_096;

/** Uploads the files of a page or row once. @returns Almanac's new ids by the old ones, without files that have no bytes */
export async function uploadFiles(
  io: RestoreIo,
  { folder, files }: { folder: string; files: readonly FileFacts[] },
): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>();
  for (const { id, name } of files) {
    const entry = await io.snapshot.find(`${folder}files/${id}`);
    if (entry === null) continue;
    const key = `file:${id}`;
    const known = await readNote(io.journal, key, z.string());
    const made = known ?? (await uploadFile(io, { key, name, path: entry.path, sizeBytes: entry.sizeBytes }));
    if (known === null) await io.journal.record(key, made);
    ids.set(id, made);
  }
  return ids;
}

async function uploadFile(
  { session, snapshot, siteId, bookId, mark }: RestoreIo,
  file: { key: string; name: string; path: string; sizeBytes: number },
): Promise<string> {
  const { baseUrl, headers } = almanacApi(session.config);
  const url = new URL(`${baseUrl}${paths.below(siteId, bookId, "files")}`);
  url.searchParams.set("name", file.name);
  url.searchParams.set("requestId", `${mark}:${file.key}`);
  const source = openUploadBody(bytesOf(snapshot.read(file.path)), file.sizeBytes);
  const authorization = `Bearer ${await session.accessToken()}`;
  await session.spend(1, UPLOAD_QUOTA.resource);
  let response: Response;
  let text: string;
  try {
    response = await session.fetch(url.href, {
      method: "POST",
      headers: {
        ...headers,
        ...{ accept: "application/json", authorization, "content-type": "application/octet-stream" },
        "content-length": String(file.sizeBytes),
      },
      body: source.body,
      redirect: "manual",
      signal: AbortSignal.timeout(HOUR_MS),
      duplex: "half",
    } as RequestInit);
    text = await response.text();
  } catch (cause) {
    const message = "Almanac broke the upload of a file off.";
    throw source.failure() ?? new ConnectorError("unavailable", message, { cause });
  }
  return readAnswer(session.clock.now(), file.name, response, text);
}

function readAnswer(now: number, name: string, response: Response, text: string): string {
  const about = `the file ${name}`;
  if (response.status !== 201) {
    const call = { about, missing: "gone" } as const;
    throw httpProblem({ platform: "Almanac" }, call, response, text.slice(0, EXCERPT_LENGTH), now);
  }
  try {
    return madeSchema.parse(JSON.parse(text)).id;
  } catch (cause) {
    const message = `Almanac's answer about ${about} is not of the known form.`;
    throw new ConnectorError("malformed", message, { cause });
  }
}

async function* bytesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  yield* chunks;
}
