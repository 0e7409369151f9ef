import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from "node:http2";
import { type AddressInfo, connect } from "node:net";
import { gzipSync } from "node:zlib";

/** A server that answers a browser like Cloudflare's network. */
export type Edge = { url: string; close: () => Promise<void> };

/** Where a Worker runs, and the address by which it knows itself. */
type Origin = { url: string; publicUrl: string };

/**
 * Does what Cloudflare's network does between a browser and a Worker: it speaks HTTP/2 and compresses (both are on by
 * default, Cloudflare's documentation of its network; gzip is the weakest of its compressions). The local runtime does
 * neither, so a browser on a slow line would load three times as much, over six connections.
 *
 * @param identity key and self-signed certificate in PEM. The browser must ignore certificate errors
 * @param serve answers a request; its path is below any host
 * @param origin where sockets are passed on to
 */
export async function startEdge(
  identity: { key: string; cert: string },
  serve: (asked: Request) => Promise<Response>,
  origin?: Origin,
): Promise<Edge> {
  const server = createSecureServer({ ...identity, allowHTTP1: true }, (asked, answer) => {
    respond(serve, asked, answer).catch(() => answer.stream?.destroy());
  });
  const open = new Set<{ destroy: () => void }>();
  server.on("session", (session) => open.add(session));
  if (origin !== undefined) {
    server.on("upgrade", ({ method, url, rawHeaders }, socket) => {
      const { hostname, port } = new URL(origin.url);
      const lines = Array.from({ length: rawHeaders.length / 2 }, (_, at) => {
        const [name = "", value = ""] = rawHeaders.slice(2 * at, 2 * at + 2);
        // The Worker takes sockets of its own pages only.
        return `${name}: ${/^origin$/i.test(name) ? origin.publicUrl : value}`;
      });
      const upstream = connect(Number(port), hostname, () => {
        upstream.write(`${method} ${url} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
        socket.pipe(upstream).pipe(socket);
      });
      for (const each of [socket, upstream]) {
        each.on("error", () => [socket, upstream].forEach((one) => void one.destroy()));
        open.add(each);
      }
    });
  }
  await new Promise<void>((settle) => server.listen(0, "127.0.0.1", settle));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((settle) => {
        server.close(() => settle());
        for (const each of open) each.destroy();
      }),
  };
}

async function respond(
  serve: (asked: Request) => Promise<Response>,
  asked: Http2ServerRequest,
  answer: Http2ServerResponse,
): Promise<void> {
  const headers = new Headers();
  for (const name of ["cookie", "accept", "user-agent"]) {
    const value = asked.headers[name];
    if (typeof value === "string") headers.set(name, value);
  }
  const got = await serve(new Request(`http://edge.test${asked.url}`, { headers, redirect: "manual" }));
  const isText = /^(?:text|application|image\/svg)/.test(got.headers.get("content-type") ?? "");
  const body = Buffer.from(await got.arrayBuffer());
  answer.statusCode = got.status;
  for (const [name, value] of got.headers) {
    if (!/^(?:content-length|transfer-encoding|connection|keep-alive|set-cookie)$/.test(name))
      answer.setHeader(name, value);
  }
  if (isText) answer.setHeader("content-encoding", "gzip");
  answer.end(isText ? gzipSync(body) : body);
}
