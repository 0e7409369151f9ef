import { Hono } from "hono";
import { answer, idOf, missing, type NotionEnv, need, onlyQuery } from "../api-context.ts";
import { newId } from "../ids.ts";
import { listAnswer, pageOf, pageOfQuery } from "../paging.ts";
import { expireLate } from "../properties/media.ts";
import { type Input, readOneOf, readText, readUrl, unfit } from "../properties/read-input.ts";
import type { Writer } from "../properties/writer.ts";
import { invalid } from "../refused.ts";
import { renderUpload } from "../render.ts";
import type { FileUpload, NotionWorld } from "../state.ts";
import { keepFile, now, stampsOf } from "../store.ts";
import { readBody, writerOf } from "./body.ts";
import { contentTypeOf } from "./content-types.ts";
import { fileLimit } from "./free-plan.ts";
import { importFile } from "./import-file.ts";
import { joinParts, keepPart } from "./upload-parts.ts";

const MODES = ["single_part", "multi_part", "external_url"] as const;
/** Source: the documentation of multi-part uploads. */
const MOST_PARTS = 10_000;
/** Longest name of a file. Source: [limits], 900 bytes. */
const NAME_BYTES = 900;

/** Calls that upload files. An upload that is not attached in time expires. */
export function fileUploadRoutes(world: NotionWorld): Hono<NotionEnv> {
  const app = new Hono<NotionEnv>();
  app.post("/file_uploads", async (c) => {
    need(c, "insert_content");
    const body = await readBody(c, ["mode", "filename", "content_type", "number_of_parts", "external_url"]);
    const upload = create(writerOf(world, c), body);
    const shown = renderUpload(world, upload);
    if (upload.mode === "external_url")
      void importFile(world, upload, readUrl(body.external_url, "body.external_url"));
    return answer(c, shown);
  });
  app.get("/file_uploads", (c) => {
    need(c, "read_content");
    onlyQuery(c, ["page_size", "start_cursor", "status"]);
    const status = c.req.query("status");
    const known = Object.values(world.state.uploads)
      .map((upload) => expired(world, upload))
      .filter(
        (each) => each.createdBy === c.get("grant").botId && (status === undefined || each.status === status),
      );
    // The newest first. Evidence: the recorded list.
    const { ids, next } = pageOf(known.map(({ id }) => id).reverse(), pageOfQuery(c));
    return answer(
      c,
      listAnswer(
        "file_upload",
        ids.map((id) => renderUpload(world, world.state.uploads[id]!)),
        next,
      ),
    );
  });
  app.get("/file_uploads/:file_upload_id", (c) => {
    need(c, "read_content");
    return answer(c, renderUpload(world, uploadOfPath(world, c)));
  });
  app.post("/file_uploads/:file_upload_id/send", async (c) => {
    need(c, "insert_content");
    const upload = uploadOfPath(world, c);
    const form = await c.req.formData().catch(() => {
      throw invalid("The body should be multipart/form-data.");
    });
    await send(world, upload, form);
    return answer(c, renderUpload(world, upload));
  });
  app.post("/file_uploads/:file_upload_id/complete", (c) => {
    need(c, "insert_content");
    const upload = uploadOfPath(world, c);
    complete(world, upload);
    return answer(c, renderUpload(world, upload));
  });
  return app;
}

function uploadOfPath(world: NotionWorld, c: Parameters<typeof need>[0]): FileUpload {
  const id = idOf(c.req.param("file_upload_id"), "path.file_upload_id");
  const upload = world.state.uploads[id];
  if (upload?.createdBy !== c.get("grant").botId) throw missing(c, "file upload", id);
  return expired(world, upload);
}

/** An upload with the status that it has now. Evidence for an expired one: the recorded list. */
function expired(world: NotionWorld, upload: FileUpload): FileUpload {
  expireLate(world, upload);
  return upload;
}

function create({ world, grant }: Writer, body: Input): FileUpload {
  const mode = body.mode === undefined ? "single_part" : readOneOf(body.mode, "body.mode", MODES);
  const isNamed = mode !== "single_part" || body.filename !== undefined;
  const filename = isNamed ? readText(body.filename, "body.filename", NAME_BYTES) : null;
  const parts = body.number_of_parts;
  if ((parts === undefined) === (mode === "multi_part"))
    throw unfit("body.number_of_parts", "told with multi_part only", parts);
  if (
    parts !== undefined &&
    !(Number.isInteger(parts) && (parts as number) >= 1 && (parts as number) <= MOST_PARTS)
  )
    throw unfit("body.number_of_parts", `a whole number from 1 to ${MOST_PARTS}`, parts);
  if ((body.external_url === undefined) === (mode === "external_url"))
    throw unfit("body.external_url", "told with external_url only", body.external_url);
  if (mode === "external_url") refuseInsecure(readUrl(body.external_url, "body.external_url"));
  const contentType =
    body.content_type === undefined
      ? contentTypeOf(filename)
      : readText(body.content_type, "body.content_type", 200);
  const upload: FileUpload = {
    ...{
      id: newId(world.state),
      workspaceId: grant.workspaceId,
      status: "pending",
      mode,
      filename,
      contentType,
    },
    ...{
      sizeBytes: null,
      expiresAt: now(world) + world.settings.uploadLifetimeMs,
      partsSent: 0,
      fileId: null,
    },
    ...{ partsTotal: (parts as number | undefined) ?? null, ...stampsOf(world, grant.botId) },
  };
  world.state.uploads[upload.id] = upload;
  return upload;
}

/** Only secure addresses are imported. Source: the documentation; the loopback interface stands for the web here. */
function refuseInsecure(url: string): void {
  const { protocol, hostname } = new URL(url);
  if (protocol !== "https:" && !["localhost", "127.0.0.1"].includes(hostname))
    throw unfit("body.external_url", "an address with https", url);
}

async function send(world: NotionWorld, upload: FileUpload, form: FormData): Promise<void> {
  const { settings } = world;
  const file = form.get("file");
  if (!(file instanceof File)) throw invalid("The form should have the field file with a file.");
  if (upload.status !== "pending")
    throw invalid(`The file upload has the status ${upload.status}, not pending.`);
  if (upload.mode === "external_url") throw invalid("A file that is imported takes no bytes.");
  const [type = ""] = file.type.split(";");
  // Source: the documentation: the type of the part must be that of the upload.
  if (upload.contentType !== null && type !== "" && type !== upload.contentType)
    throw invalid(
      `The content type of the file is ${type}, but the upload was made for ${upload.contentType}.`,
    );
  if (file.size > settings.partBytes) throw invalid(`The part is larger than ${settings.partBytes} bytes.`);
  const limit = fileLimit(world, upload.workspaceId);
  if ((upload.sizeBytes ?? 0) + file.size > limit) throw invalid(`The file is larger than ${limit} bytes.`);
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (upload.mode === "multi_part") {
    sendPart(world, upload, form.get("part_number"), bytes);
    return;
  }
  if (form.get("part_number") !== null) throw invalid("Only multi-part uploads have parts.");
  const name = upload.filename ?? file.name;
  const contentType = upload.contentType ?? (type || "application/octet-stream");
  finish(world, upload, { name, contentType, bytes });
}

function sendPart(
  world: NotionWorld,
  upload: FileUpload,
  told: FormDataEntryValue | null,
  bytes: Uint8Array,
): void {
  const number = typeof told === "string" && /^\d{1,5}$/.test(told) ? Number(told) : 0;
  const total = upload.partsTotal!;
  if (number < 1 || number > total) throw invalid(`part_number should be a whole number from 1 to ${total}.`);
  const { smallestPartBytes } = world.settings;
  if (number < total && bytes.length < smallestPartBytes)
    throw invalid(`Every part but the last must have at least ${smallestPartBytes} bytes.`);
  const { sent, sizeBytes } = keepPart(world, upload.id, number, bytes);
  upload.partsSent = sent;
  upload.sizeBytes = sizeBytes;
}

function complete(world: NotionWorld, upload: FileUpload): void {
  if (upload.mode !== "multi_part") throw invalid("Only multi-part uploads are completed.");
  if (upload.status !== "pending")
    throw invalid(`The file upload has the status ${upload.status}, not pending.`);
  if (upload.partsSent !== upload.partsTotal)
    throw invalid(`${upload.partsSent} of ${upload.partsTotal} parts were sent.`);
  const bytes = joinParts(world, upload.id);
  finish(world, upload, {
    name: upload.filename!,
    contentType: upload.contentType ?? "application/octet-stream",
    bytes,
  });
}

function finish(
  world: NotionWorld,
  upload: FileUpload,
  file: { name: string; contentType: string; bytes: Uint8Array },
): void {
  const kept = keepFile(world, { workspaceId: upload.workspaceId, ...file });
  const { name: filename, contentType } = file;
  Object.assign(upload, {
    status: "uploaded",
    fileId: kept.id,
    sizeBytes: kept.sizeBytes,
    filename,
    contentType,
  });
}
