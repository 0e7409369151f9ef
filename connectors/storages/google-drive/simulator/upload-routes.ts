import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { Hono } from "hono";
import { takeBody } from "#connectors/toolkit/simulator/byte-files.ts";
import {
  type ApiContext,
  type ApiEnv,
  fault,
  fileNotFound,
  invalid,
  problem,
  QUOTA_EXCEEDED,
} from "./answers.ts";
import { showFile, viewerOf } from "./file-routes.ts";
import { findFile, hasRoom, metadataError, settleUpload } from "./files.ts";
import { metadataSchema } from "./metadata-schema.ts";
import { takeChunk } from "./resumable.ts";
import type { DriveFile, DriveWorld, FileMetadata, UploadSession } from "./state.ts";

/** Maximum size of an upload that is not resumable: 5 MiB. */
const MOST_SIMPLE_BYTES = 5 * 1024 ** 2;

/** Uploading bytes (`/upload/drive/v3`): in one request with the metadata, or resumably. */
export function uploadRoutes(world: DriveWorld): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  app.post("/files", (c) => begin(c, world, null));
  app.patch("/files/:id", (c) => {
    const file = findFile(world, viewerOf(c), c.req.param("id"));
    if (file === null) return problem(c, fileNotFound(c.req.param("id")));
    return begin(c, world, file);
  });
  // A session's id authorises the upload; a token is optional but must be valid if sent.
  app.put("/files", (c) => takeChunk(c, world));
  app.put("/files/:id", (c) => takeChunk(c, world));
  app.delete("/files", (c) => {
    const id = c.req.query("upload_id");
    world.state.sessions = world.state.sessions.filter((session) => session.id !== id);
    world.save();
    return c.body(null, 499 as never);
  });
  return app;
}

function begin(c: ApiContext, world: DriveWorld, updates: DriveFile | null): Promise<Response> | Response {
  switch (c.req.query("uploadType")) {
    case "media":
      return takeWhole(c, world, updates, { metadata: {}, mediaType: c.req.header("content-type") ?? "" });
    case "multipart":
      return takeMultipart(c, world, updates);
    case "resumable":
      return beginSession(c, world, updates);
    default:
      return fault(c, world, invalid("uploadType"));
  }
}

async function takeWhole(
  c: ApiContext,
  world: DriveWorld,
  updates: DriveFile | null,
  { metadata, mediaType }: { metadata: FileMetadata; mediaType: string },
  body: ReadableStream<Uint8Array> | null = c.req.raw.body,
): Promise<Response> {
  const error = metadataError(world, viewerOf(c), metadata, updates === null);
  if (error !== null) return problem(c, error);
  const received = path.join(world.directory, "sessions", randomBytes(16).toString("hex"));
  const taken = await takeBody(body, received, { mostBytes: MOST_SIMPLE_BYTES });
  if (taken.end === "too-large") {
    const message = "Request payload size exceeds the limit: use a resumable upload.";
    return fault(c, world, { status: 413, reason: "uploadTooLarge", message });
  }
  if (taken.end === "cut") return c.body(null, 400);
  const upload = { metadata, mediaType, updates, received };
  const made = await settleUpload(world, c.get("person"), upload, taken.bytes);
  return made.kind === "made" ? showFile(c, world, made.file) : problem(c, made.error);
}

/** RFC 2387: the first part is the metadata as JSON, the second the bytes. */
async function takeMultipart(c: ApiContext, world: DriveWorld, updates: DriveFile | null): Promise<Response> {
  const boundary = /^multipart\/related;.*boundary="?([^";]+)"?/i.exec(
    c.req.header("content-type") ?? "",
  )?.[1];
  if (boundary === undefined) return fault(c, world, invalid("Content-Type", "Missing multipart boundary."));
  const text = Buffer.from(await c.req.arrayBuffer()).toString("latin1");
  const parts = text
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part: string) => {
      // A header, an empty line, and the body up to the closing line.
      const [, head = "", body = ""] = /^\r?\n([\s\S]*?)\r?\n\r?\n([\s\S]*?)\r?\n$/.exec(part) ?? [];
      return {
        type: /^content-type:\s*(.+?)\s*$/im.exec(head)?.[1] ?? "",
        bytes: Buffer.from(body, "latin1"),
      };
    });
  const [first, second] = parts;
  if (first === undefined || second === undefined)
    return fault(c, world, invalid("body", "Malformed multipart body."));
  const metadata = metadataSchema.safeParse(JSON.parse(first.bytes.toString("utf8")));
  if (!metadata.success) return fault(c, world, invalid("resource", metadata.error.message));
  const order = { metadata: metadata.data, mediaType: second.type };
  return takeWhole(c, world, updates, order, new Blob([second.bytes]).stream());
}

async function beginSession(c: ApiContext, world: DriveWorld, updates: DriveFile | null): Promise<Response> {
  const text = await c.req.text();
  const metadata = metadataSchema.safeParse(JSON.parse(text || "{}"));
  if (!metadata.success) return fault(c, world, invalid("resource", metadata.error.message));
  const error = metadataError(world, viewerOf(c), metadata.data, updates === null);
  if (error !== null) return problem(c, error);
  const length = c.req.header("x-upload-content-length");
  const totalBytes = length === undefined ? null : Number(length);
  const freed = updates?.content?.sizeBytes ?? 0;
  if (!hasRoom(world, c.get("person"), (totalBytes ?? 0) - freed)) return problem(c, QUOTA_EXCEEDED);
  const session: UploadSession = {
    id: randomBytes(48).toString("base64url"),
    personId: c.get("person").id,
    updatesId: updates?.id ?? null,
    metadata: metadata.data,
    mediaType: c.req.header("x-upload-content-type") ?? "application/octet-stream",
    totalBytes,
    receivedBytes: 0,
    startedAt: Date.now(),
    resultId: null,
    fields: c.req.query("fields") ?? null,
  };
  writeFileSync(path.join(world.directory, "sessions", session.id), "");
  world.state.sessions.push(session);
  world.save();
  const place = updates === null ? "files" : `files/${updates.id}`;
  const query = new URLSearchParams({ uploadType: "resumable", upload_id: session.id });
  c.header("Location", `${world.url}/api/upload/drive/v3/${place}?${query}`);
  c.header("X-GUploader-UploadID", session.id);
  return c.body(null, 200);
}
