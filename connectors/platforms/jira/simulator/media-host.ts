import { Hono } from "hono";
import { readRange } from "#connectors/toolkit/simulator/byte-files.ts";
import { readBytes, signedHash } from "./files.ts";
import type { JiraWorld } from "./state.ts";

/**
 * The media host, a different origin than the API. Its addresses are signed. It refuses requests with the API's
 * Authorization header: they would leak the customer's token to another host.
 */
export function mediaHost(world: JiraWorld): Hono {
  const app = new Hono();
  app.get("/file/:id/binary", (c) => {
    const { searchParams } = new URL(c.req.url);
    if (c.req.header("authorization") !== undefined) {
      const reason = "the access token was sent to the media host";
      world.refuse({ kind: "refused", method: "GET", path: c.req.path, status: 400, reason });
      return c.json({ error: { code: "BadRequest", title: "Only one auth mechanism allowed" } }, 400);
    }
    const sha256 = signedHash(world, searchParams);
    if (sha256 === null) {
      return c.json({ error: { code: "JwtAuthoriser", title: "The token is expired" } }, 401);
    }
    const bytes = readBytes(world, sha256);
    if (!bytes) return c.json({ error: { code: "NotFound", title: "File not found" } }, 404);
    return fileAnswer(bytes, {
      range: c.req.header("range"),
      type: searchParams.get("type") ?? "",
      name: searchParams.get("name") ?? "file",
    });
  });
  app.all("*", (c) => c.json({ error: { code: "NotFound", title: "Not found" } }, 404));
  return app;
}

/** A file's bytes, or a part of them. */
export function fileAnswer(
  bytes: Uint8Array,
  { range: header, type, name }: { range: string | undefined; type: string; name: string },
): Response {
  const headers: Record<string, string> = {
    "Content-Type": type || "application/octet-stream",
    "Content-Disposition": `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
    "Accept-Ranges": "bytes",
  };
  const range = readRange(header, bytes.length);
  if (range === "unsatisfiable") {
    return new Response(null, { status: 416, headers: { "Content-Range": `bytes */${bytes.length}` } });
  }
  const part = range === null ? bytes : bytes.subarray(range.first, range.last + 1);
  headers["Content-Length"] = String(part.length);
  if (range !== null) headers["Content-Range"] = `bytes ${range.first}-${range.last}/${bytes.length}`;
  return new Response(new Uint8Array(part), { status: range === null ? 200 : 206, headers });
}
