import { Buffer } from "node:buffer";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import { type Clock, MINUTE_MS, systemClock } from "#core/kernel/clock.ts";
import { utf8 } from "#core/kernel/crypto.ts";
import { type BodyReader, createBodyReader, startDeadline } from "./body-reader.ts";
import { httpFailure } from "./http-failure.ts";

/** A repository on a git server and how to reach it. */
export type GitRemote = {
  /** URL of the repository, e.g. `https://github.com/octo/api.git`, without a trailing slash. */
  url: string;
  /** The session's fetch; does not follow redirects. */
  fetch: (url: string, init?: RequestInit) => Promise<Response>;
  /**
   * Returns the value of the Authorization header. Sent with the first request already, because servers count git's
   * usual anonymous probe as a failed sign-in. `refused` is a value that the server has just answered 401 to: a token
   * may have expired between two requests, so one more is requested before the sign-in counts as revoked.
   */
  authorization?: (refused?: string) => Promise<string>;
  /** How long the server may send nothing before it counts as stalled. Default: one minute. */
  stallMs?: number;
  /** Clock for Retry-After. Default: the system clock. */
  clock?: Clock;
};

/** The user name that GitHub expects with a token; GitLab expects `oauth2`. */
export type BasicUser = "x-access-token" | "oauth2" | (string & {});

/** Value of an Authorization header of the Basic scheme (RFC 7617). */
export function basicAuthorization(user: BasicUser, password: string): string {
  return `Basic ${Buffer.from(utf8(`${user}:${password}`)).toString("base64")}`;
}

/** A request in git's smart HTTP protocol. */
export type GitRequest = {
  /** `git-upload-pack` or `git-receive-pack`. */
  service: "git-upload-pack" | "git-receive-pack";
  /** Absent = request the advertisement. */
  body?: Uint8Array | ReadableStream<Uint8Array>;
  /** Whether to use protocol version 2. */
  version2: boolean;
  /** Timeout for the first byte of the response. Default: the remote's `stallMs`. */
  answerMs?: number;
  /** Receives a function that restarts the timeout; call it while a streamed body makes progress. */
  onDeadline?: (restart: () => void) => void;
};

const EXCERPT_BYTES = 4096;
const MOST_REDIRECTS = 3;
/** Servers distinguish git from browsers by this prefix. */
const AGENT = "git/holdfast-1";

/** The agent sent to servers, as an HTTP header and as a git capability. */
export const GIT_AGENT = AGENT;

/** The stall timeout of this remote, in milliseconds. */
export function stallTime(remote: GitRemote): number {
  return remote.stallMs ?? MINUTE_MS;
}

/**
 * Sends one request and returns the body of a successful response.
 *
 * @throws ConnectorError for any other status or content type, and for timeouts
 */
export async function askGitServer(remote: GitRemote, request: GitRequest): Promise<BodyReader> {
  let url =
    request.body === undefined
      ? `${remote.url}/info/refs?service=${request.service}`
      : `${remote.url}/${request.service}`;
  let authorization = await remote.authorization?.();
  let isRenewed = false;
  for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
    const response = await send(remote, request, { url, authorization });
    if (response.status === 401 && remote.authorization !== undefined && !isRenewed) {
      await response.body?.cancel();
      if (request.body instanceof ReadableStream) {
        // A streamed body cannot be sent again; the next attempt starts with a repeatable request.
        const message = "The git server does not accept our sign-in any more (401).";
        throw new ConnectorError("unavailable", message, { status: 401 });
      }
      isRenewed = true;
      authorization = await remote.authorization(authorization);
      continue;
    }
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      url = redirectTarget(url, response, request);
      continue;
    }
    if (response.status !== 200) {
      const excerpt = await readExcerpt(response, stallTime(remote));
      throw httpFailure(response.status, response.headers, excerpt, (remote.clock ?? systemClock).now());
    }
    return await openAnswer(response, request, stallTime(remote));
  }
  throw new ConnectorError("malformed", "The git server redirects in circles.");
}

async function send(
  remote: GitRemote,
  request: GitRequest,
  { url, authorization }: { url: string; authorization: string | undefined },
): Promise<Response> {
  const headers: Record<string, string> = { "user-agent": AGENT, accept: answerType(request) };
  if (request.version2) headers["git-protocol"] = "version=2";
  if (request.body !== undefined) headers["content-type"] = `application/x-${request.service}-request`;
  if (authorization !== undefined) headers.authorization = authorization;
  const init: RequestInit & { duplex?: "half" } = {
    method: request.body === undefined ? "GET" : "POST",
    headers,
    redirect: "manual",
  };
  if (request.body !== undefined) init.body = request.body as BodyInit;
  if (request.body instanceof ReadableStream) init.duplex = "half";

  const abort = new AbortController();
  const deadline = startDeadline(request.answerMs ?? stallTime(remote));
  request.onDeadline?.(deadline.restart);
  const answer = remote.fetch(url, { ...init, signal: abort.signal });
  try {
    return await Promise.race([answer, deadline.expired]);
  } catch (cause) {
    // The response may still arrive or be aborted: nothing waits for it any more.
    answer.then((late) => late.body?.cancel()).catch(() => undefined);
    abort.abort();
    if (cause instanceof ConnectorError) throw cause;
    throw new ConnectorError("unavailable", "The git server cannot be reached.", { cause });
  } finally {
    deadline.stop();
  }
}

/**
 * Sends credentials only to their own host. A renamed repository stays on its host and keeps the end of the path, so
 * any other redirect is rejected.
 */
function redirectTarget(from: string, response: Response, request: GitRequest): string {
  const location = response.headers.get("location");
  const status = response.status;
  if (location === null || !URL.canParse(location, from)) {
    throw new ConnectorError("malformed", `The git server redirects to nowhere (${status}).`, { status });
  }
  const target = new URL(location, from);
  if (target.origin !== new URL(from).origin) {
    const message = `The git server redirects to another host (${target.host}); sign-in data is not sent there.`;
    throw new ConnectorError("malformed", message, { status });
  }
  const tail = request.body === undefined ? "/info/refs" : `/${request.service}`;
  if (!target.pathname.endsWith(tail) || request.body instanceof ReadableStream) {
    throw new ConnectorError("malformed", `The git server redirects away from git (${status}).`, { status });
  }
  return target.href;
}

function answerType(request: GitRequest): string {
  return `application/x-${request.service}-${request.body === undefined ? "advertisement" : "result"}`;
}

async function openAnswer(response: Response, request: GitRequest, stallMs: number): Promise<BodyReader> {
  const type = (response.headers.get("content-type") ?? "").split(";")[0]!.trim().toLowerCase();
  if (type !== answerType(request)) {
    await response.body?.cancel();
    const isPage = type === "text/html";
    throw new ConnectorError(
      isPage ? "unavailable" : "malformed",
      isPage
        ? "The git server answered with a web page instead of git data."
        : `The git server answered with the content type '${type}' instead of git data.`,
      { status: response.status },
    );
  }
  if (response.body === null) {
    throw new ConnectorError("unavailable", "The git server gave an empty answer.", {
      status: response.status,
    });
  }
  return createBodyReader(response.body, stallMs);
}

async function readExcerpt(response: Response, stallMs: number): Promise<string> {
  if (response.body === null) return "";
  const reader = createBodyReader(response.body, stallMs);
  const parts: Buffer[] = [];
  let length = 0;
  try {
    while (length < EXCERPT_BYTES) {
      const chunk = await reader.read();
      if (chunk === null) break;
      parts.push(Buffer.from(chunk));
      length += chunk.length;
    }
  } catch {
    // The status is enough; a truncated body must not hide it.
  }
  await reader.cancel();
  return Buffer.concat(parts).subarray(0, EXCERPT_BYTES).toString("utf8");
}
