import { randomBytes } from "node:crypto";
import { truncateSync, writeFileSync } from "node:fs";
import { Hono } from "hono";
import { z } from "zod";
import { readRange, streamFile, takeBody } from "#connectors/toolkit/simulator/byte-files.ts";
import { type ApiContext, type ApiEnv, readArg, routeError } from "./answers.ts";
import {
  commitFile,
  contentHashOf,
  entryFile,
  findEntry,
  renderEntry,
  sessionFile,
  type Tagged,
} from "./entries.ts";
import type { DropboxWorld, UploadSession } from "./state.ts";

const commitFields = {
  path: z.string().regex(/^(\/|id:)/, "did not match pattern"),
  mode: z
    .union([
      z.enum(["add", "overwrite"]),
      z.strictObject({ ".tag": z.enum(["add", "overwrite"]) }).transform((mode) => mode[".tag"]),
      z
        .strictObject({ ".tag": z.literal("update"), update: z.string().regex(/^[0-9a-f]{9,}$/) })
        .transform(({ update }) => ({ update })),
    ])
    .default("add"),
  autorename: z.boolean().default(false),
  client_modified: z
    .string()
    .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    .optional(),
  mute: z.boolean().optional(),
  strict_conflict: z.boolean().default(false),
};
const contentHash = { content_hash: z.string().length(64).optional() };
const commitInfo = z.strictObject(commitFields);
const cursor = z.strictObject({ session_id: z.string(), offset: z.number().int().min(0) });
const uploadArg = z.strictObject({ ...commitFields, ...contentHash });
const startArg = z.strictObject({
  close: z.boolean().default(false),
  session_type: z
    .literal("sequential")
    .or(z.strictObject({ ".tag": z.literal("sequential") }))
    .optional(),
  ...contentHash,
});
const appendArg = z.strictObject({ cursor, close: z.boolean().default(false), ...contentHash });
const finishArg = z.strictObject({ cursor, commit: commitInfo, ...contentHash });
const downloadArg = z.strictObject({ path: z.string().regex(/^(\/|id:)/) });

/** Uploading and downloading bytes (`files`, on the host `content`). */
export function uploadRoutes(world: DropboxWorld): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  app.post("/2/files/upload", async (c) => {
    const arg = readArg(c, world, uploadArg);
    if (arg instanceof Response) return arg;
    const session = beginSession(world, c.get("person").id);
    const refused = await takeBytes(c, world, session, 0, arg.content_hash);
    if (refused !== null) return routeError(c, refused);
    const made = await commitFile(world, c.get("person"), session, readCommit(arg));
    if (made.kind === "made") return c.json(withoutTag(renderEntry(made.entry)));
    return routeError(c, { ".tag": "path", reason: made.error, upload_session_id: session.id });
  });
  app.post("/2/files/upload_session/start", async (c) => {
    const arg = readArg(c, world, startArg);
    if (arg instanceof Response) return arg;
    const session = beginSession(world, c.get("person").id);
    const refused = await takeBytes(c, world, session, 0, arg.content_hash);
    if (refused !== null) return routeError(c, refused);
    session.isClosed = arg.close;
    return c.json({ session_id: session.id });
  });
  app.post("/2/files/upload_session/append_v2", async (c) => {
    const arg = readArg(c, world, appendArg);
    if (arg instanceof Response) return arg;
    const found = findSession(world, c.get("person").id, arg.cursor);
    if (found.kind === "refused") return routeError(c, found.error);
    if (found.session.isClosed) return routeError(c, { ".tag": "closed" });
    const refused = await takeBytes(c, world, found.session, arg.cursor.offset, arg.content_hash);
    if (refused !== null) return routeError(c, refused);
    found.session.isClosed = arg.close;
    world.save();
    return c.json(null);
  });
  app.post("/2/files/upload_session/finish", async (c) => {
    const arg = readArg(c, world, finishArg);
    if (arg instanceof Response) return arg;
    const found = findSession(world, c.get("person").id, arg.cursor);
    if (found.kind === "refused") {
      return routeError(c, { ".tag": "lookup_failed", lookup_failed: found.error });
    }
    const { session } = found;
    const { isClosed } = session;
    const refused = await takeBytes(c, world, session, arg.cursor.offset, arg.content_hash);
    if (refused !== null) return routeError(c, refused);
    if (isClosed && session.sizeBytes !== arg.cursor.offset) {
      return routeError(c, { ".tag": "lookup_failed", lookup_failed: { ".tag": "closed" } });
    }
    const made = await commitFile(world, c.get("person"), session, readCommit(arg.commit));
    if (made.kind === "refused") return routeError(c, { ".tag": "path", path: made.error });
    return c.json(withoutTag(renderEntry(made.entry)));
  });
  app.post("/2/files/download", (c) => download(c, world));
  return app;
}

function beginSession(world: DropboxWorld, personId: string): UploadSession {
  const id = `pid_upload_session:${randomBytes(24).toString("base64url")}`.replace(":", "_");
  const session = { id, personId, sizeBytes: 0, isClosed: false, startedAt: Date.now() };
  writeFileSync(sessionFile(world, id), "");
  world.state.sessions.push(session);
  world.save();
  return session;
}

function findSession(
  world: DropboxWorld,
  personId: string,
  { session_id, offset }: z.output<typeof cursor>,
): { kind: "found"; session: UploadSession } | { kind: "refused"; error: Tagged } {
  const session = world.state.sessions.find(
    (known) => known.id === session_id && known.personId === personId,
  );
  if (session === undefined || session.startedAt + world.settings.sessionLifetimeMs <= Date.now()) {
    return { kind: "refused", error: { ".tag": "not_found" } };
  }
  if (session.sizeBytes !== offset) {
    return { kind: "refused", error: { ".tag": "incorrect_offset", correct_offset: session.sizeBytes } };
  }
  return { kind: "found", session };
}

/** Adds a request's bytes to a session, all or none: an interrupted body has no effect. */
async function takeBytes(
  c: ApiContext,
  world: DropboxWorld,
  session: UploadSession,
  offset: number,
  expectedHash: string | undefined,
): Promise<Tagged | null> {
  const file = sessionFile(world, session.id);
  const { mostRequestBytes, mostFileBytes } = world.settings;
  const part = `${file}.part`;
  const taken = await takeBody(c.req.raw.body, part, { mostBytes: mostRequestBytes });
  if (taken.end === "cut") return { ".tag": "other" };
  if (taken.end === "too-large") return { ".tag": "payload_too_large" };
  if (expectedHash !== undefined && (await contentHashOf(part)) !== expectedHash) {
    return { ".tag": "content_hash_mismatch" };
  }
  if (offset + taken.bytes > mostFileBytes) return { ".tag": "too_large" };
  truncateSync(file, offset);
  await takeBody(streamFile(part), file, { offset });
  session.sizeBytes = offset + taken.bytes;
  return null;
}

function readCommit(info: z.output<typeof commitInfo>) {
  const { path, mode, autorename, client_modified: clientModified = null } = info;
  return { path, mode, autorename, clientModified, strictConflict: info.strict_conflict };
}

/** Dropbox omits the tag where only one type is possible. */
function withoutTag({ ".tag": _, ...metadata }: Tagged): Record<string, unknown> {
  return metadata;
}

function download(c: ApiContext, world: DropboxWorld): Response {
  const arg = readArg(c, world, downloadArg);
  if (arg instanceof Response) return arg;
  const entry = findEntry(world, c.get("person"), arg.path);
  if (entry === null) return routeError(c, { ".tag": "path", path: { ".tag": "not_found" } });
  if (entry.file === null) return routeError(c, { ".tag": "path", path: { ".tag": "not_file" } });
  const { sizeBytes } = entry.file;
  const range = readRange(c.req.header("range"), sizeBytes);
  if (range === "unsatisfiable") return c.text("Range not satisfiable", 416);
  const { first, last } = range ?? { first: 0, last: sizeBytes - 1 };
  c.header(
    "Dropbox-API-Result",
    JSON.stringify(withoutTag(renderEntry(entry))).replace(/[^\x20-\x7e]/g, "?"),
  );
  c.header("Content-Type", "application/octet-stream");
  c.header("Content-Length", String(last - first + 1));
  if (range !== null) c.header("Content-Range", `bytes ${first}-${last}/${sizeBytes}`);
  const body = sizeBytes === 0 ? "" : streamFile(entryFile(world, entry), { first, last });
  return c.body(body, range === null ? 200 : 206);
}
