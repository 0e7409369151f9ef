import { Hono } from "hono";
import { findSigned } from "./sign-files.ts";
import type { NotionWorld } from "./state.ts";
import { bytesOf } from "./store.ts";

/**
 * The host of files, a different origin than the API. Its addresses are signed and stop working after an hour; then it
 * answers 403, as S3 does (`expiry_time`: contract; [files]). It refuses the API's Authorization
 * header, as S3 does, because that would hand the customer's token to another host.
 */
export function fileHost(world: NotionWorld): Hono {
  const app = new Hono();
  app.get("/:workspace/:file/:name", (c) => {
    const url = new URL(c.req.url);
    if (c.req.header("authorization") !== undefined) {
      const reason = "the API's Authorization header was handed on to the host of files";
      world.refuse({ kind: "refused", method: "GET", path: url.pathname, status: 400, reason });
      return c.body(problem("InvalidArgument", "Only one auth mechanism allowed"), 400, XML);
    }
    const file = findSigned(world, c.req.param("file"), url.searchParams);
    if (file === "denied") return c.body(problem("AccessDenied", "Access Denied"), 403, XML);
    if (file === "expired") return c.body(problem("AccessDenied", "Request has expired"), 403, XML);
    const bytes = bytesOf(world, file);
    return c.body(bytes, 200, {
      ...{ "Content-Type": file.contentType, "Content-Length": String(bytes.length) },
      ETag: `"${file.sha256.slice(0, 32)}"`,
    });
  });
  app.all("*", (c) => c.body(problem("NoSuchKey", "The specified key does not exist."), 404, XML));
  return app;
}

const XML = { "Content-Type": "application/xml" };

function problem(code: string, message: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`;
}
