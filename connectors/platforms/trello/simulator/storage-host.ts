import { Hono } from "hono";
import { isSigned, readBytes } from "./attachments.ts";
import type { TrelloWorld } from "./state.ts";

/**
 * The storage host of attachments, a different origin than Trello. Its URLs are signed. It refuses requests with the
 * API's Authorization header, as S3 does, because they would leak the customer's token to another host.
 */
export function storageHost(world: TrelloWorld): Hono {
  const app = new Hono();
  app.get("/trello-attachments/:sha256/:fileName", (c) => {
    const url = new URL(c.req.url);
    const { sha256, fileName } = c.req.param();
    if (c.req.header("authorization") !== undefined) {
      const reason = "the API's Authorization header was handed on to the storage host";
      world.refuse({ kind: "refused", method: "GET", path: url.pathname, status: 400, reason });
      return c.body(problem("InvalidArgument", "Only one auth mechanism allowed"), 400, XML);
    }
    if (!isSigned(world, sha256, url.searchParams)) {
      return c.body(problem("AccessDenied", "Request has expired"), 403, XML);
    }
    const bytes = readBytes(world, sha256);
    if (!bytes) return c.body(problem("NoSuchKey", "The specified key does not exist."), 404, XML);
    return c.body(new Uint8Array(bytes), 200, {
      "Content-Type": url.searchParams.get("type") || "application/octet-stream",
      "Content-Length": String(bytes.length),
      "Content-Disposition": `attachment; filename*=UTF-8''${encodeURIComponent(fileName)}`,
      ETag: `"${sha256.slice(0, 32)}"`,
    });
  });
  app.get("/trello-backgrounds/:id/:size?", (c) => {
    const known = world.state.backgrounds.find(({ id }) => id === c.req.param("id"));
    const bytes = known ? readBytes(world, known.sha256) : null;
    if (!bytes) return c.body(problem("NoSuchKey", "The specified key does not exist."), 404, XML);
    return c.body(new Uint8Array(bytes), 200, { "Content-Type": "image/png" });
  });
  app.all("*", (c) => c.body(problem("NoSuchKey", "The specified key does not exist."), 404, XML));
  return app;
}

const XML = { "Content-Type": "application/xml" };

function problem(code: string, message: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`;
}
