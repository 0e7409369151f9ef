import { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { RestoreJournal, Session } from "#connectors/contract/platform-connector.ts";
import type { EntryInfo, SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { HttpClient } from "#connectors/toolkit/http-client.ts";
import { readNote } from "#connectors/toolkit/records/read-note.ts";
import { uploadForm } from "#connectors/toolkit/upload-form.ts";
import { MINUTE_MS } from "#core/kernel/clock.ts";
import { notionApi, paths } from "../client.ts";
import { idSchema, userSchema } from "../payloads.ts";
import { contentTypeOf } from "./content-types.ts";
import type { JsonObject } from "./json-parts.ts";
import type { LossBook } from "./loss-book.ts";
import type { Loss } from "./losses.ts";
import { isRefusal } from "./notion-calls.ts";

/** A file of the version with its id at Notion. `name`: the name that people see; null = the entry's title. */
export type Uploaded = { id: string; path: string; name: string | null };

/** A file that was uploaded, or why it was not. */
export type Upload = Uploaded | { loss: Loss };

/** Uploads files of the version. What is uploaded twice and attached once costs nothing: Notion lets the other expire. */
export type Uploader = {
  /** @param name The name that people see; null = the entry's title. @throws ConnectorError */
  upload(path: string, name?: string | null): Promise<Upload>;
  /** Whether a file can still be attached. @throws ConnectorError */
  isOpen(upload: Uploaded): Promise<boolean>;
};

/** Uploads a file, or reports why it is lost and returns null. @throws ConnectorError */
export async function uploadOrReport(
  { uploader, losses }: { uploader: Uploader; losses: Pick<LossBook, "tell"> },
  path: string,
  name?: string | null,
): Promise<Uploaded | null> {
  const upload = await uploader.upload(path, name);
  if (!("loss" in upload)) return upload;
  losses.tell(upload.loss);
  return null;
}

const MEBIBYTE = 1024 ** 2;
/** Above 20 MiB a file is sent in parts of 5 to 20 MiB (developers.notion.com, "Uploading larger files"). */
const LARGEST_SINGLE = 20 * MEBIBYTE;
export const PART_BYTES = 10 * MEBIBYTE;
const ATTEMPTS = 3;
const LONGEST_NAME = 200;
/** An upload that is not attached expires, usually after an hour; so long before, another one is begun instead. */
const TO_ATTACH_MS = 10 * MINUTE_MS;

const uploadSchema = z.looseObject({
  id: idSchema,
  status: z.string(),
  expiry_time: z.string().nullable().optional(),
  number_of_parts: z.looseObject({ sent: z.number() }).optional(),
});
type FileUpload = z.output<typeof uploadSchema>;

type Deps = {
  session: Session;
  client: HttpClient;
  snapshot: SnapshotView;
  journal: RestoreJournal;
};
type FileOrder = { entry: EntryInfo; name: string; type: string | null };

/** Opens the uploader of a restore. */
export function openUploader(deps: Deps): Uploader {
  let largest: Promise<number> | null = null;
  const limit = () => {
    largest ??= readLimit(deps.client);
    return largest;
  };
  return {
    async upload(path, name = null) {
      const entry = await deps.snapshot.find(path);
      if (entry === null) return { loss: "fileMissing" };
      if (entry.sizeBytes > (await limit())) return { loss: "fileLarge" };
      const shown = (name ?? entry.title ?? "file").slice(-LONGEST_NAME) || "file";
      const order = { entry, name: shown, type: contentTypeOf(shown) };
      for (let tries = 1; ; tries++) {
        try {
          const id = await (entry.sizeBytes > LARGEST_SINGLE ? sendParts : sendWhole)(deps, order);
          return { id, path, name };
        } catch (error) {
          if (!(error instanceof ConnectorError)) throw error;
          if (error.kind === "unsupported") return { loss: "fileRefused" };
          if (error.kind !== "unavailable" || tries === ATTEMPTS) throw error;
        }
      }
    },
    async isOpen({ id, path, name }) {
      return (await findUpload(deps, name ?? path, id))?.status === "uploaded";
    },
  };
}

async function sendWhole(deps: Deps, order: FileOrder): Promise<string> {
  const { id } = await create(deps, order, { mode: "single_part" });
  await send(deps, order, { id, part: null });
  return id;
}

/** Sends a file in parts. A later attempt or slice goes on behind the last part that Notion has. */
async function sendParts(deps: Deps, order: FileOrder): Promise<string> {
  const { entry, name } = order;
  const parts = Math.ceil(entry.sizeBytes / PART_BYTES);
  const key = `upload:${entry.path}`;
  const known = await readNote(deps.journal, key, idSchema);
  let upload = known === null ? null : await findUpload(deps, name, known);
  if (upload === null) {
    upload = await create(deps, order, { mode: "multi_part", number_of_parts: parts });
    await deps.journal.record(key, upload.id);
  }
  const { id, status } = upload;
  if (status === "uploaded") return id;
  for (let part = 1 + (upload.number_of_parts?.sent ?? 0); part <= parts; part++)
    await send(deps, order, { id, part });
  const call = { method: "POST", path: paths.fileUploadComplete(id), about: `the file ${name}` } as const;
  const done = await deps.client.request(call, uploadSchema);
  if (done.status !== "uploaded")
    throw new ConnectorError("unsupported", `Notion did not take the file ${name}.`);
  return id;
}

/** An upload that was begun before; null = it can no longer be attached. */
async function findUpload({ client, session }: Deps, name: string, id: string) {
  const call = { method: "GET", path: paths.fileUpload(id), about: `the file ${name}` } as const;
  const upload = await client.request(call, uploadSchema).catch((error: unknown) => {
    if (isRefusal(error)) return null;
    throw error;
  });
  const isOpen = upload?.status === "pending" || upload?.status === "uploaded";
  const expiresAt = Date.parse(upload?.expiry_time ?? "");
  return isOpen && !(expiresAt < session.clock.now() + TO_ATTACH_MS) ? upload : null;
}

function create({ client }: Deps, { name, type }: FileOrder, facts: JsonObject): Promise<FileUpload> {
  const call = {
    method: "POST",
    path: paths.fileUploads,
    about: `the file ${name}`,
    isRepeatable: true,
  } as const;
  const body = { ...facts, filename: name, ...(type === null ? {} : { content_type: type }) };
  return client.request({ ...call, body }, uploadSchema);
}

/** Sends the bytes of a file or of one part of it; `part` counts from 1. */
async function send(
  { session, snapshot }: Deps,
  { entry, name, type }: FileOrder,
  { id, part }: { id: string; part: number | null },
): Promise<void> {
  const offset = part === null ? 0 : (part - 1) * PART_BYTES;
  const length = part === null ? entry.sizeBytes : Math.min(PART_BYTES, entry.sizeBytes - offset);
  const piece = part === null ? undefined : { offset, length };
  const token = await session.accessToken();
  await session.spend(1);
  const order = {
    ...{ to: { path: paths.fileUploadSend(id) }, token, about: `the file ${name}` },
    fields: part === null ? [] : ([["part_number", String(part)]] as const),
    file: { name, mimeType: type, entry: { path: entry.path, sizeBytes: length } },
  };
  const read = (path: string) => snapshot.read(path, piece);
  await uploadForm(
    { session, snapshot: { ...snapshot, read } },
    notionApi(session.config),
    order,
    uploadSchema,
  );
}

/** The largest file that the workspace's plan takes (`GET /users/me`); unknown = no limit of ours. */
async function readLimit(client: HttpClient): Promise<number> {
  const call = { method: "GET", path: paths.me, about: "your workspace" } as const;
  const { bot } = await client.request(call, userSchema);
  return bot?.workspace_limits?.max_file_upload_size_in_bytes ?? Number.POSITIVE_INFINITY;
}
