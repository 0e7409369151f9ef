import path from "node:path";
import { takeBody } from "#connectors/toolkit/simulator/byte-files.ts";
import { type ApiContext, errorBody, fault, invalid, problem } from "./answers.ts";
import { parseFields, pickFields } from "./fields.ts";
import { renderFile, settleUpload } from "./files.ts";
import type { DriveWorld, UploadSession } from "./state.ts";

/** All chunks except the last are multiples of this; so is the kept part of an interrupted chunk. */
const CHUNK_QUANTUM = 256 * 1024;

/** The bytes that a request carries; `question` = a progress query (the range is `*`). */
type ContentRange = { first: number; last: number } | "question";

/** Accepts a chunk of a resumable upload, or returns its progress: 308 with the range, or the file at the end. */
export async function takeChunk(c: ApiContext, world: DriveWorld): Promise<Response> {
  const session = world.state.sessions.find(({ id }) => id === c.req.query("upload_id"));
  if (session === undefined || session.startedAt + world.settings.sessionLifetimeMs <= Date.now()) {
    return c.text("Not Found", 404);
  }
  if (session.resultId !== null) return showResult(c, world, session);
  const asked = readContentRange(c, session);
  if (asked === null)
    return fault(c, world, invalid("Content-Range", "Failed to parse Content-Range header."));
  const { range, totalBytes } = asked;
  if (session.totalBytes !== null && totalBytes !== null && session.totalBytes !== totalBytes) {
    return fault(c, world, invalid("Content-Range", "The total size differs from the announced one."));
  }
  session.totalBytes ??= totalBytes;
  if (range !== "question") {
    const refused = await takeRange(c, world, session, range);
    if (refused !== null) return refused;
  }
  world.save();
  if (session.totalBytes !== null && session.receivedBytes === session.totalBytes) {
    return finish(c, world, session);
  }
  return howFar(c, session);
}

function readContentRange(
  c: ApiContext,
  session: UploadSession,
): { range: ContentRange; totalBytes: number | null } | null {
  const header = c.req.header("content-range");
  const length = Number(c.req.header("content-length") ?? Number.NaN);
  if (header === undefined) {
    // Without a range the request carries all bytes.
    if (Number.isNaN(length)) return null;
    return { range: { first: 0, last: length - 1 }, totalBytes: session.totalBytes ?? length };
  }
  const match = /^bytes (?:(\d+)-(\d+)|\*)\/(\d+|\*)$/.exec(header);
  if (match === null) return null;
  const totalBytes = match[3] === "*" ? null : Number(match[3]);
  const range = match[1] === undefined ? "question" : { first: Number(match[1]), last: Number(match[2]) };
  return { range, totalBytes };
}

async function takeRange(
  c: ApiContext,
  world: DriveWorld,
  session: UploadSession,
  { first, last }: { first: number; last: number },
): Promise<Response | null> {
  const size = last - first + 1;
  const isLast = session.totalBytes !== null && last + 1 === session.totalBytes;
  if (!isLast && size % CHUNK_QUANTUM !== 0) {
    const message = `Invalid request. There were ${size} byte(s) in the request body. There should have been a multiple of ${CHUNK_QUANTUM} byte(s).`;
    return fault(c, world, invalid("Content-Range", message));
  }
  if (first !== session.receivedBytes || (session.totalBytes ?? last) < last) {
    const message = `Invalid request. The range begins at ${first}; ${session.receivedBytes} byte(s) have been received.`;
    return fault(c, world, invalid("Content-Range", message));
  }
  const { breakage } = world;
  world.breakage = null;
  const taken = await takeBody(c.req.raw.body, path.join(world.directory, "sessions", session.id), {
    offset: first,
    mostBytes: size,
  });
  if (taken.end === "whole" && taken.bytes === size && breakage === null) {
    session.receivedBytes = first + size;
    return null;
  }
  const arrived = Math.min(taken.bytes, breakage?.afterBytes ?? taken.bytes);
  session.receivedBytes = Math.floor((first + arrived) / CHUNK_QUANTUM) * CHUNK_QUANTUM;
  world.save();
  if (taken.end === "cut") return c.body(null, 400);
  if (breakage === null) {
    return fault(c, world, invalid("body", `There were ${taken.bytes} byte(s) in the body, not ${size}.`));
  }
  const status = breakage.status as 503;
  return c.json(errorBody({ status, reason: "backendError", message: "Backend Error" }), status);
}

async function finish(c: ApiContext, world: DriveWorld, session: UploadSession): Promise<Response> {
  const person = world.state.people.find(({ id }) => id === session.personId);
  const updates = world.state.files.find(({ id }) => id === session.updatesId) ?? null;
  if (person === undefined || (session.updatesId !== null && updates === null))
    return c.text("Not Found", 404);
  const received = path.join(world.directory, "sessions", session.id);
  const { metadata, mediaType } = session;
  const made = await settleUpload(
    world,
    person,
    { metadata, mediaType, updates, received },
    session.receivedBytes,
  );
  if (made.kind === "refused") return problem(c, made.error);
  session.resultId = made.file.id;
  world.save();
  return showResult(c, world, session);
}

/** Returns the result of a finished session again. */
function showResult(c: ApiContext, world: DriveWorld, session: UploadSession): Response {
  const file = world.state.files.find(({ id }) => id === session.resultId);
  if (file === undefined) return c.text("Not Found", 404);
  const mask = parseFields(session.fields ?? "kind,id,name,mimeType");
  return c.json(pickFields(renderFile(world, file), mask) as object);
}

function howFar(c: ApiContext, { receivedBytes }: UploadSession): Response {
  if (receivedBytes > 0) c.header("Range", `bytes=0-${receivedBytes - 1}`);
  return c.body(null, 308 as never);
}
