import { Hono } from "hono";
import { openCloneFile, openClonePack, openZipDownload, zipRange, zipStream } from "#core/exports/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import type { ApiEnv } from "#workers/api/api-env.ts";
import { contentDisposition } from "../content-disposition.ts";
import { readBytes } from "../read-body.ts";

/**
 * Downloads of versions. `/download/{token}` streams a ZIP with Range support. `/clone/{token}/{name}/…` serves a
 * version's repository to git, by its own protocol where its packs can be sent as one, otherwise file by file (git:
 * gitprotocol-http, "smart" and "dumb"). The signed token is the only authorisation and is checked on
 * every request.
 */
export const downloads = new Hono<ApiEnv>()
  .get("/download/:token", async (c) => {
    const zip = await openZipDownload(c.var.services, c.req.param("token"));
    const size = zip.layout.totalBytes;
    const range =
      c.req.header("If-Range") === undefined || c.req.header("If-Range") === zip.etag
        ? parseRange(c.req.header("Range"), size)
        : null;
    const headers = new Headers({
      "Content-Type": "application/zip",
      "Content-Disposition": contentDisposition(zip.fileName),
      "Accept-Ranges": "bytes",
      "Cache-Control": "private, no-store",
      ETag: zip.etag,
    });
    if (range === "unsatisfiable") {
      headers.set("Content-Range", `bytes */${size}`);
      return new Response(null, { status: 416, headers });
    }
    const { from, to } = range ?? { from: 0, to: size };
    headers.set("Content-Length", String(to - from));
    if (range) headers.set("Content-Range", `bytes ${from}-${to - 1}/${size}`);
    const status = range ? 206 : 200;
    if (c.req.method === "HEAD") return new Response(null, { status, headers });
    // Later ranges belong to the same download, so they are not recorded again.
    if (from === 0) await zip.recordTaking();
    return new Response(zipStream(zipRange(zip.layout, { from, to }, zip.read), to - from), {
      status,
      headers,
    });
  })
  .post("/clone/:token/:name/git-upload-pack", async (c) => {
    const pack = await openClonePack(c.var.services, c.req.param());
    if (!pack) return c.text("not found", 404);
    const { length, body } = pack.answer(await readPackRequest(c.req.raw));
    return new Response(zipStream(body(), length), {
      headers: {
        "Content-Type": "application/x-git-upload-pack-result",
        "Cache-Control": "private, no-store",
      },
    });
  })
  .get("/clone/:token/:name/:path{.+}", async (c) => {
    const { token, name, path } = c.req.param();
    if (path === "info/refs" && c.req.query("service") === "git-upload-pack") {
      const pack = await openClonePack(c.var.services, { token, name });
      if (pack) {
        const headers = { "Content-Type": "application/x-git-upload-pack-advertisement" };
        return c.body(pack.refs as Uint8Array<ArrayBuffer>, {
          headers: { ...headers, "Cache-Control": "no-cache" },
        });
      }
    }
    const file = await openCloneFile(c.var.services, { token, name, path });
    if (!file) return c.text("not found", 404);
    const range = parseRange(c.req.header("Range"), file.size);
    const from = range && range !== "unsatisfiable" ? range.from : 0;
    const to = range && range !== "unsatisfiable" ? range.to : file.size;
    const headers = new Headers({
      "Content-Type":
        path === "info/refs" || path === "HEAD" ? "text/plain; charset=utf-8" : "application/octet-stream",
      "Content-Length": String(to - from),
      "Cache-Control": "private, no-store",
    });
    if (from > 0 || to < file.size) headers.set("Content-Range", `bytes ${from}-${to - 1}/${file.size}`);
    const status = headers.has("Content-Range") ? 206 : 200;
    if (c.req.method === "HEAD") return new Response(null, { status, headers });
    return new Response(zipStream(file.read({ offset: from, length: to - from }), to - from), {
      status,
      headers,
    });
  });

/** A request that names every ref of the largest repositories. */
const MOST_REQUEST_BYTES = 16 * 1_048_576;

/** What git asks for. It compresses longer requests. @throws AppError `err.request.too.large`, `err.request.invalid` */
async function readPackRequest(request: Request): Promise<Uint8Array> {
  if (request.headers.get("Content-Encoding") !== "gzip") return await readBytes(request, MOST_REQUEST_BYTES);
  const body = request.body?.pipeThrough(new DecompressionStream("gzip"));
  const plain = new Request(request.url, { method: "POST", body });
  return await readBytes(plain, MOST_REQUEST_BYTES).catch((cause: unknown) => {
    throw cause instanceof AppError ? cause : new AppError("err.request.invalid", { cause });
  });
}

/**
 * Parses a single byte range (RFC 9110 section 14). Returns null when there is no range or several, in which case the
 * whole file is sent. Returns "unsatisfiable" when the range is outside the file.
 */
export function parseRange(
  header: string | undefined,
  size: number,
): { from: number; to: number } | "unsatisfiable" | null {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? "");
  if (!match || (match[1] === "" && match[2] === "")) return null;
  if (match[1] === "") {
    const length = Math.min(Number(match[2]), size);
    return length === 0 ? "unsatisfiable" : { from: size - length, to: size };
  }
  const from = Number(match[1]);
  const last = match[2] === "" ? size - 1 : Math.min(Number(match[2]), size - 1);
  if (match[2] !== "" && Number(match[2]) < from) return null;
  return from >= size ? "unsatisfiable" : { from, to: last + 1 };
}
