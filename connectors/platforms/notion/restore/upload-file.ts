import { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { Session } from "#connectors/contract/platform-connector.ts";
import type { EntryInfo, SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { HttpClient } from "#connectors/toolkit/http-client.ts";
import { uploadForm } from "#connectors/toolkit/upload-form.ts";
import { notionApi, paths } from "../client.ts";
import { idSchema, userSchema } from "../payloads.ts";
import { contentTypeOf } from "./content-types.ts";
import type { Loss } from "./losses.ts";

/** A file with its id at Notion, or why it was not uploaded. */
export type Upload = { id: string } | { loss: Loss };

/** Uploads files of the version. What is uploaded twice and attached once costs nothing: Notion lets the other expire. */
export type Uploader = {
  /** @param name The name that people see; null = the entry's title. @throws ConnectorError */
  upload(path: string, name?: string | null): Promise<Upload>;
};

const MEBIBYTE = 1024 ** 2;
/** Above 20 MiB a file is sent in parts of 5 to 20 MiB (developers.notion.com, "Uploading larger files"). */
const LARGEST_SINGLE = 20 * MEBIBYTE;
export const PART_BYTES = 10 * MEBIBYTE;
const ATTEMPTS = 3;
const LONGEST_NAME = 200;

const uploadSchema = z.looseObject({ id: idSchema, status: z.string() });

type Deps = { session: Session; client: HttpClient; snapshot: SnapshotView };

/** Opens the uploader of a restore. */
export function openUploader({ session, client, snapshot }: Deps): Uploader {
  let largest: Promise<number> | null = null;
  const limit = () => {
    largest ??= readLimit(client);
    return largest;
  };
  const attempt = async (entry: EntryInfo, name: string): Promise<Upload> => {
    const isWhole = entry.sizeBytes <= LARGEST_SINGLE;
    const parts = isWhole ? 1 : Math.ceil(entry.sizeBytes / PART_BYTES);
    const type = contentTypeOf(name);
    const { id } = await client.request(
      {
        ...{ method: "POST", path: paths.fileUploads, about: `the file ${name}`, isRepeatable: true },
        body: {
          mode: isWhole ? "single_part" : "multi_part",
          filename: name,
          ...(type === null ? {} : { content_type: type }),
          ...(isWhole ? {} : { number_of_parts: parts }),
        },
      },
      uploadSchema,
    );
    for (let part = 1; part <= parts; part++)
      await sendPart(entry, { id, name, type, part: isWhole ? null : part });
    if (!isWhole) {
      const call = { method: "POST", path: paths.fileUploadComplete(id), about: `the file ${name}` } as const;
      await client.send(call);
    }
    return { id };
  };
  const sendPart = async (
    entry: EntryInfo,
    { id, name, type, part }: { id: string; name: string; type: string | null; part: number | null },
  ) => {
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
  };
  return {
    async upload(path, name = null) {
      const entry = await snapshot.find(path);
      if (entry === null) return { loss: "fileMissing" };
      if (entry.sizeBytes > (await limit())) return { loss: "fileLarge" };
      const shown = (name ?? entry.title ?? "file").slice(-LONGEST_NAME) || "file";
      for (let tries = 1; ; tries++) {
        try {
          return await attempt(entry, shown);
        } catch (error) {
          if (!(error instanceof ConnectorError)) throw error;
          if (error.kind === "unsupported") return { loss: "fileRefused" };
          if (error.kind !== "unavailable" || tries === ATTEMPTS) throw error;
        }
      }
    },
  };
}

/** The largest file that the workspace's plan takes (`GET /users/me`); unknown = no limit of ours. */
async function readLimit(client: HttpClient): Promise<number> {
  const call = { method: "GET", path: paths.me, about: "your workspace" } as const;
  const { bot } = await client.request(call, userSchema);
  return bot?.workspace_limits?.max_file_upload_size_in_bytes ?? Number.POSITIVE_INFINITY;
}
