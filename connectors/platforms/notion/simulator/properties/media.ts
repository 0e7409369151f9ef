import { notFound } from "../api-context.ts";
import { invalid } from "../refused.ts";
import type { Fields, FileUpload, NotionWorld } from "../state.ts";
import { now } from "../store.ts";
import { type Input, readObject, readUrl, readUuid, typeOf } from "./read-input.ts";
import type { Writer } from "./writer.ts";

/**
 * Reads a file of a request, an upload or an external address, and gives it as it is stored. An upload that is attached
 * once does not expire any more and may be attached again. Source: the documentation of file uploads.
 */
export function readMedia(writer: Writer, input: Input, place: string): Fields {
  const type = typeOf(input, place, ["file_upload", "external"]);
  if (type === "external") {
    const external = readObject(input.external, `${place}.external`, ["url"]);
    return { type, external: { url: readUrl(external.url, `${place}.external.url`) } };
  }
  const upload = readObject(input.file_upload, `${place}.file_upload`, ["id"]);
  const { fileId } = attach(writer, readUuid(upload.id, `${place}.file_upload.id`));
  return { type: "file", file: { file_id: fileId! } };
}

/** Attaches an upload. @throws Refused when it is not there, has no bytes yet, failed or expired */
export function attach({ world, grant }: Writer, id: string): FileUpload {
  const upload = world.state.uploads[id];
  if (upload?.workspaceId !== grant.workspaceId || upload.createdBy !== grant.botId)
    throw notFound(grant, "file upload", id);
  expireLate(world, upload);
  if (upload.status !== "uploaded" || upload.fileId === null)
    throw invalid(
      `File upload ${id} has the status ${upload.status}; only an uploaded file can be attached.`,
    );
  upload.expiresAt = null;
  return upload;
}

/** Lets an upload expire that was not attached in time. Its time is then empty. Evidence: the recorded expired ones. */
export function expireLate(world: NotionWorld, upload: FileUpload): void {
  const isOpen = upload.status === "pending" || upload.status === "uploaded";
  if (!isOpen || upload.expiresAt === null || upload.expiresAt > now(world)) return;
  Object.assign(upload, { status: "expired", expiresAt: null, fileId: null, editedAt: now(world) });
}
