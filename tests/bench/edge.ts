import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { gzipSync } from "node:zlib";

/** A server that answers a browser like Cloudflare's network. */
export type Edge = { url: string; close: () => Promise<void> };

/**
 * Does what Cloudflare's network does between a browser and a Worker: it compresses. The local runtime does not, so that a
 * browser on a slow line would load three times as much.
 *
 * @param serve answers a request; its path is below any host
 * @param origin where sockets are passed on to
 */
export async function startEdge(
  serve: (asked: Request) => Promise<Response>,
  origin?: string,
): Promise<Edge> {
  const server = createServer((asked, answer) => {
    respond(serve, asked, answer).catch(() => answer.destroy());
  });
  if (origin !== undefined) {
    server.on("upgrade", ({ method, url, rawHeaders }, socket) => {
      const { hostname, port } = new URL(origin);
      const lines = Array.from({ length: rawHeaders.length / 2 }, (_, at) =>
        rawHeaders.slice(2 * at, 2 * at + 2).join(": "),
      );
      const upstream = connect(Number(port), hostname, () => {
        upstream.write(`${method} ${url} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
        socket.pipe(upstream).pipe(socket);
      });
      for (const each of [socket, upstream])
        each.on("error", () => [socket, upstream].forEach((one) => void one.destroy()));
    });
  }
  await new Promise<void>((settle) => server.listen(0, "127.0.0.1", settle));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((settle) => {
        server.close(() => settle());
        server.closeAllConnections();
      }),
  };
}

async function respond(
  serve: (asked: Request) => Promise<Response>,
  asked: IncomingMessage,
  answer: ServerResponse,
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
    if (!/^(?:content-length|transfer-encoding|connection|set-cookie)$/.test(name))
      answer.setHeader(name, value);
  }
  if (isText) answer.setHeader("content-encoding", "gzip");
  answer.end(isText ? gzipSync(body) : body);
}
