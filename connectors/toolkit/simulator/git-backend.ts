import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { startGitProcess } from "./git-process.ts";

/** Git settings by name. */
export type GitSettings = Readonly<Record<string, string | readonly string[]>>;

/** A smart HTTP request for the real `git http-backend`. */
export type GitBackendOrder = {
  /** Absolute path of the bare repository. */
  repository: string;
  /** The part of the URL after the repository, e.g. `/info/refs`. */
  pathInfo: string;
  /** Git settings for this request only, e.g. `receive.fsckObjects`; a list sets one several times. */
  config?: GitSettings;
  /** Additional environment variables of the process; hooks see them too. */
  environment?: Readonly<Record<string, string>>;
  /** Rewrites the response body, e.g. the report of a push. */
  rewrite?: (body: Readable) => Readable | AsyncIterable<Uint8Array>;
};

/**
 * Answers a request by running the real `git http-backend` as CGI, streaming both ways, so that the simulator behaves
 * exactly like git. Supports chunked and gzipped request bodies and every protocol version. Resolves when the
 * response has been sent or the client has disconnected.
 */
export async function serveGitBackend(
  request: IncomingMessage,
  response: ServerResponse,
  order: GitBackendOrder,
): Promise<void> {
  const backend = startGitProcess({ args: ["http-backend"], env: cgiEnvironment(request, order) });
  request.pipe(backend.stdin);
  response.once("close", () => backend.kill());

  const { status, headers, rest } = await readCgiHeader(backend.stdout);
  if (status === null) {
    const { complaint } = await backend.ended;
    response.writeHead(500, { "Content-Type": "text/plain" });
    response.end(complaint);
    return;
  }
  response.writeHead(status, headers);
  const body = order.rewrite ? order.rewrite(rest) : rest;
  try {
    await pipeline(body, response);
  } catch (error) {
    if (!response.destroyed) throw error;
  }
  await backend.ended;
}

/**
 * Git reads settings of "command scope" from the environment, so the repository's files stay unchanged. Excludes the
 * system and user configuration, because tests must not depend on it. Nothing here must outlive a power cut, so git need
 * not wait for the disk.
 */
export function gitEnvironment(config: GitSettings = {}): Record<string, string> {
  const all = { "safe.directory": "*", "core.fsync": "none", ...config };
  const settings = Object.entries(all).flatMap(([name, value]) =>
    [value].flat().map((each) => [name, each] as const),
  );
  const environment: Record<string, string> = {
    PATH: process.env.PATH ?? "/usr/bin:/bin",
    HOME: "/nonexistent",
    LC_ALL: "C",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_TERMINAL_PROMPT: "0",
    GIT_CONFIG_COUNT: String(settings.length),
  };
  for (const [index, [key, value]] of settings.entries()) {
    environment[`GIT_CONFIG_KEY_${index}`] = key;
    environment[`GIT_CONFIG_VALUE_${index}`] = value;
  }
  return environment;
}

function cgiEnvironment(request: IncomingMessage, order: GitBackendOrder): Record<string, string> {
  const header = (name: string) => String(request.headers[name] ?? "");
  const environment: Record<string, string> = {
    ...gitEnvironment({ "http.receivepack": "true", ...order.config }),
    ...order.environment,
    GIT_PROJECT_ROOT: order.repository,
    GIT_HTTP_EXPORT_ALL: "1",
    GATEWAY_INTERFACE: "CGI/1.1",
    REQUEST_METHOD: request.method ?? "GET",
    PATH_INFO: order.pathInfo,
    QUERY_STRING: request.url?.split("?")[1] ?? "",
    REMOTE_ADDR: request.socket.remoteAddress ?? "127.0.0.1",
    CONTENT_TYPE: header("content-type"),
    HTTP_CONTENT_ENCODING: header("content-encoding"),
    HTTP_ACCEPT_ENCODING: header("accept-encoding"),
  };
  // Absent = until the end of the input, as a chunked body needs.
  if (request.headers["content-length"]) environment.CONTENT_LENGTH = request.headers["content-length"];
  if (request.headers["git-protocol"]) environment.GIT_PROTOCOL = header("git-protocol");
  return environment;
}

/** Splits the CGI header from the output; `rest` is the body. `status` is null when there is none. */
async function readCgiHeader(
  output: Readable,
): Promise<{ status: number | null; headers: Record<string, string>; rest: Readable }> {
  const iterator = output[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let buffered = Buffer.alloc(0);
  let end = -1;
  while (end < 0) {
    const next = await iterator.next();
    if (next.done) return { status: null, headers: {}, rest: Readable.from([]) };
    buffered = Buffer.concat([buffered, next.value]);
    end = buffered.indexOf("\r\n\r\n");
  }
  let status = 200;
  const headers: Record<string, string> = {};
  for (const line of buffered.subarray(0, end).toString("latin1").split("\r\n")) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon);
    const value = line.slice(colon + 1).trim();
    if (name.toLowerCase() === "status") status = Number.parseInt(value, 10);
    else headers[name] = value;
  }
  const first = buffered.subarray(end + 4);
  const rest = Readable.from(
    (async function* () {
      if (first.length > 0) yield first;
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
    })(),
    { objectMode: false },
  );
  return { status, headers, rest };
}
