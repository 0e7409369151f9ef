import type { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import { GENERAL_QUOTA, type RateLimitReport } from "#connectors/contract/platform-connector.ts";
import { type Clock, SECOND_MS } from "#core/kernel/clock.ts";
import { concatBytes } from "#core/kernel/crypto.ts";
import { retryTime } from "./git/http-failure.ts";

/** What a client needs of its surroundings; a `Session` offers all of it. */
export type HttpClientDeps = {
  fetch: (url: string, init?: RequestInit) => Promise<Response>;
  clock: Clock;
  sleep?: (ms: number) => Promise<void>;
  spend?: (points: number, quota?: string) => Promise<void>;
  report?: (limits: RateLimitReport) => Promise<void>;
  /** A token for the Authorization header; asked again with the token that was refused. Absent = no sign-in. */
  accessToken?: (refused?: string) => Promise<string>;
  /** Between 0 and 1, for the jitter. */
  random?: () => number;
  /** How long one answer may take to its last byte, in ms. Default: a minute. */
  answerMs?: number;
};

/** What is peculiar to one platform's API. */
export type HttpApi = {
  /** The name in messages, e.g. "GitHub". */
  platform: string;
  baseUrl: string;
  headers: Readonly<Record<string, string>>;
  /** The quota that its answers name, if they do; asked for leave before each call. */
  quota?: string;
  /** Value of the Authorization header for a token. Default: `Bearer …`. */
  authorization?: (token: string) => string;
  /** What a refusal means where its status misleads; null = what the status says. */
  readProblem?: (
    response: { status: number; headers: Headers },
    text: string,
    call: Pick<HttpCall, "about" | "missing">,
    nowMs: number,
  ) => { error: ConnectorError; limits?: RateLimitReport } | null;
};

/** One call of an API. */
export type HttpCall = {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path below the base URL, or a whole URL of the same host (from a Link header). */
  path: string;
  query?: Readonly<Record<string, string | number>>;
  /** Sent as JSON, or as a form when it is `URLSearchParams`. */
  body?: object | URLSearchParams;
  /** The thing that the call speaks of, for messages: "this repository". */
  about: string;
  /** What a 404 means: the thing was deleted, or we do not reach it. Default `gone`. */
  missing?: "gone" | "forbidden";
  /** Repeating does no harm. Default: everything but POST. */
  isRepeatable?: boolean;
  /** The quota it draws on, where that is not the API's. */
  quota?: string;
  /** What the platform answers with; `html` is handed on as the text that it is. Default `json`. */
  answer?: "json" | "html";
};

/** A good answer. `json` is null when the status promises no body (204, 304). */
export type HttpAnswer = { status: number; headers: Headers; json: unknown };

/** Speaks JSON with one API; every failure is a ConnectorError. */
export type HttpClient = {
  /** Sends a call and parses its answer. @throws ConnectorError */
  request<S extends z.ZodType>(call: HttpCall, schema: S): Promise<z.output<S>>;
  /** Sends a call whose answer is not needed. @throws ConnectorError */
  send(call: HttpCall): Promise<HttpAnswer>;
  /** One page of a list, whether the platform names a next one, and what its headers say besides, e.g. a total. */
  page<S extends z.ZodType>(
    call: HttpCall,
    schema: S,
  ): Promise<{ value: z.output<S>; next: string | null; headers: Headers }>;
  /**
   * All members of a list, page after page along its Link headers: each id once, and an end even when the
   * pages lead in a circle. @throws ConnectorError
   */
  members<T>(call: HttpCall, schema: z.ZodType<T[]>, idOf: (member: T) => string): AsyncGenerator<T>;
};

const ATTEMPTS = 4;
const FIRST_BACKOFF_MS = 500;
const ANSWER_TIMEOUT_MS = 60 * SECOND_MS;
const MOST_REDIRECTS = 3;
const MOST_PAGES = 1_000;
/** JSON answers are far smaller; more is a fault of the platform or an attack on our memory. */
const LARGEST_ANSWER_BYTES = 16 * 1024 * 1024;
const REDIRECTS = [301, 302, 307, 308];

/** Makes a client for one API. */
export function createHttpClient(deps: HttpClientDeps, api: HttpApi): HttpClient {
  async function send(call: HttpCall): Promise<HttpAnswer> {
    const repeatable = call.isRepeatable ?? call.method !== "POST";
    for (let attempt = 1; ; attempt++) {
      try {
        return await attemptCall(deps, api, call);
      } catch (error) {
        const passes = error instanceof ConnectorError && error.kind === "unavailable";
        if (!passes || !repeatable || attempt === ATTEMPTS || deps.sleep === undefined) throw error;
        const jitter = 0.5 + (deps.random ?? Math.random)();
        await deps.sleep(Math.round(FIRST_BACKOFF_MS * 2 ** (attempt - 1) * jitter));
      }
    }
  }

  async function page<S extends z.ZodType>(call: HttpCall, schema: S) {
    const answer = await send(call);
    const { headers } = answer;
    return { value: parse(api, call, schema, answer), next: nextLink(api, headers), headers };
  }

  async function* members<T>(call: HttpCall, schema: z.ZodType<T[]>, idOf: (member: T) => string) {
    const seenPages = new Set<string>();
    const seenMembers = new Set<string>();
    let step: HttpCall = call;
    while (seenPages.size < MOST_PAGES) {
      seenPages.add(step.path);
      const { value, next } = await page(step, schema);
      for (const member of value) {
        const id = idOf(member);
        if (!seenMembers.has(id)) yield member;
        seenMembers.add(id);
      }
      if (next === null) return;
      if (seenPages.has(next)) throw malformed(`${api.platform}'s list of ${call.about} leads in a circle.`);
      step = { ...call, path: next, query: {} };
    }
    throw malformed(`${api.platform}'s list of ${call.about} does not end.`);
  }

  return {
    send,
    page,
    members,
    request: async (call, schema) => parse(api, call, schema, await send(call)),
  };
}

/** Spends, sends once along redirects, renews a refused token once, and tells what the answer says of limits. */
async function attemptCall(deps: HttpClientDeps, api: HttpApi, call: HttpCall): Promise<HttpAnswer> {
  let url = addressOf(api, call);
  let token = await deps.accessToken?.();
  let isRenewed = false;
  for (let hop = 0; hop <= MOST_REDIRECTS; ) {
    await deps.spend?.(1, call.quota ?? api.quota);
    const response = await fetchOnce(deps, api, call, url, token);
    const now = deps.clock.now();
    const text = await readText(api, response);
    const problem = response.status < 400 ? null : (api.readProblem?.(response, text, call, now) ?? null);
    const limited = isRateLimited(response, text);
    const told = () => limitsOf(response.headers, limited ? retryTime(response.headers, now) : null);
    await deps.report?.(problem?.limits ?? told());
    if (problem !== null) throw problem.error;
    if (REDIRECTS.includes(response.status)) {
      url = redirectTarget(api, url, response);
      hop += 1;
      continue;
    }
    if (response.status === 401 && token !== undefined && !isRenewed) {
      const renewed = await deps.accessToken?.(token);
      isRenewed = true;
      if (renewed !== undefined && renewed !== token) {
        token = renewed;
        continue;
      }
    }
    if (response.status >= 400) throw httpProblem(api, call, response, text, now);
    return { status: response.status, headers: response.headers, json: readJson(api, call, response, text) };
  }
  throw malformed(`${api.platform} redirects in circles.`);
}

function addressOf(api: HttpApi, call: HttpCall): string {
  const url = new URL(/^https?:/.test(call.path) ? call.path : `${api.baseUrl}${call.path}`);
  for (const [name, value] of Object.entries(call.query ?? {})) url.searchParams.set(name, String(value));
  if (url.origin !== new URL(api.baseUrl).origin) {
    throw malformed(`${api.platform} names another host (${url.host}); sign-in data is not sent there.`);
  }
  return url.href;
}

async function fetchOnce(
  deps: HttpClientDeps,
  api: HttpApi,
  call: HttpCall,
  url: string,
  token: string | undefined,
): Promise<Response> {
  const headers: Record<string, string> = { accept: "application/json", ...api.headers };
  if (token !== undefined) headers.authorization = api.authorization?.(token) ?? `Bearer ${token}`;
  const init: RequestInit = { method: call.method, headers, redirect: "manual" };
  if (call.body instanceof URLSearchParams) {
    headers["content-type"] = "application/x-www-form-urlencoded";
    init.body = call.body.toString();
  } else if (call.body !== undefined) {
    headers["content-type"] = "application/json";
    init.body = JSON.stringify(call.body);
  }
  try {
    return await deps.fetch(url, {
      ...init,
      signal: AbortSignal.timeout(deps.answerMs ?? ANSWER_TIMEOUT_MS),
    });
  } catch (cause) {
    if (cause instanceof ConnectorError) throw cause;
    throw new ConnectorError("unavailable", `${api.platform} cannot be reached.`, { cause });
  }
}

async function readText(api: HttpApi, response: Response): Promise<string> {
  if (response.body === null) return "";
  const reader = response.body.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      length += value.length;
      if (length > LARGEST_ANSWER_BYTES) throw tooLarge(api);
      chunks.push(value);
    }
  } catch (cause) {
    await reader.cancel().catch(() => undefined);
    if (cause instanceof ConnectorError) throw cause;
    throw new ConnectorError("unavailable", `${api.platform}'s answer was cut off.`, { cause });
  }
  return new TextDecoder().decode(concatBytes(...chunks));
}

function tooLarge({ platform }: HttpApi): ConnectorError {
  const mebibytes = LARGEST_ANSWER_BYTES / 1024 ** 2;
  return new ConnectorError("malformed", `${platform}'s answer is too large: more than ${mebibytes} MiB.`, {
    isTooMuch: true,
  });
}

function readJson(api: HttpApi, call: HttpCall, response: Response, text: string): unknown {
  if (response.status === 204 || response.status === 304) return null;
  const fault = (kind: "unavailable" | "malformed", what: string) =>
    new ConnectorError(kind, `${api.platform} answered the question about ${call.about} ${what}.`, {
      status: response.status,
    });
  const type = response.headers.get("content-type") ?? "";
  if (call.answer === "html" && /html/i.test(type)) return text;
  if (/html/i.test(type)) throw fault("unavailable", "with a web page");
  if (text.trim() === "") throw fault("unavailable", "with nothing");
  if (!/json/i.test(type)) throw fault("malformed", `with the content type '${type.slice(0, 60)}'`);
  try {
    return JSON.parse(text);
  } catch {
    throw fault("unavailable", "with JSON that is cut off or broken");
  }
}

function parse<S extends z.ZodType>(
  api: HttpApi,
  call: HttpCall,
  schema: S,
  answer: HttpAnswer,
): z.output<S> {
  const parsed = schema.safeParse(answer.json);
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues[0];
  const place = where === undefined ? "" : ` (${where.path.join(".")}: ${where.message})`;
  throw malformed(`${api.platform}'s answer about ${call.about} is not of the known form${place}.`);
}

/** What an HTTP failure means. The words of the platform are quoted, since people can act on them. */
export function httpProblem(
  api: Pick<HttpApi, "platform">,
  call: Pick<HttpCall, "about" | "missing">,
  response: { status: number; headers: Headers },
  text: string,
  nowMs: number,
): ConnectorError {
  const { status, headers } = response;
  const said = platformSentence(text);
  const fault = (kind: ConnectorError["kind"], sentence: string) =>
    new ConnectorError(kind, `${sentence} (${status}).${said}`, { status });
  if (isRateLimited(response, text)) {
    const message = `${api.platform} asks us to wait (${status}).${said}`;
    return new ConnectorError("rate-limited", message, { status, retryAt: retryTime(headers, nowMs) });
  }
  if (status === 401) return fault("unauthorized", `${api.platform} no longer accepts our access`);
  if (status === 403) return fault("forbidden", `${api.platform} refuses access to ${call.about}`);
  if (status === 404 && call.missing === "forbidden") {
    return fault("forbidden", `${api.platform} does not let us reach ${call.about}`);
  }
  if (status === 404) return fault("gone", `${api.platform} no longer shows ${call.about}`);
  if (status === 410 || status === 451)
    return fault("gone", `${api.platform} no longer offers ${call.about}`);
  if (status === 408 || status >= 500) return fault("unavailable", `${api.platform} is not available`);
  if (status === 409) return fault("unavailable", `${api.platform} is busy with ${call.about}`);
  return fault("unsupported", `${api.platform} refuses what was asked about ${call.about}`);
}

/** GitHub tells a secondary limit from a refusal only in the text; a 403 with quota left is a refusal. */
function isRateLimited({ status, headers }: { status: number; headers: Headers }, text: string): boolean {
  if (status === 429) return true;
  if (status !== 403) return false;
  return (
    headers.has("retry-after") ||
    headers.get("x-ratelimit-remaining") === "0" ||
    /rate limit|abuse detection|too many requests/i.test(text.slice(0, 4096))
  );
}

/** GitHub's names of the headers, or those of the IETF draft without `x-`, which GitLab sends. */
function limitsOf(headers: Headers, retryAt: number | null): RateLimitReport {
  const number = (name: string) => {
    const text = headers.get(`x-${name}`) ?? headers.get(name);
    return text !== null && /^[0-9]{1,15}$/.test(text) ? Number(text) : null;
  };
  const reset = number("ratelimit-reset");
  return {
    resource: headers.get("x-ratelimit-resource") ?? headers.get("ratelimit-name") ?? GENERAL_QUOTA,
    remaining: number("ratelimit-remaining"),
    resetAt: reset === null ? null : reset * SECOND_MS,
    retryAt,
  };
}

/**
 * The message of an error body, with the messages of its members; never a web page. Besides GitHub's form it knows
 * OAuth's (RFC 6749 section 5.2) and that of Rails: `{"message": {"name": ["has already been taken"]}}`.
 */
function platformSentence(text: string): string {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return "";
  }
  if (typeof body !== "object" || body === null) return "";
  const messages: string[] = [];
  if ("message" in body) messages.push(...wordsOf(body.message));
  if ("error" in body) messages.push(...wordsOf(body.error));
  if ("error_description" in body) messages.push(...wordsOf(body.error_description));
  if ("errors" in body && Array.isArray(body.errors)) {
    for (const error of body.errors) if (typeof error?.message === "string") messages.push(error.message);
  }
  const words = messages.join(" ").replace(/\s+/g, " ").trim().slice(0, 300);
  return words === "" ? "" : ` It said: ${words}`;
}

/** A sentence, a list of them, or sentences by the field that they are about. */
function wordsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.filter((each) => typeof each === "string");
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([field, words]) => wordsOf(words).map((said) => `${field} ${said}.`));
}

function nextLink(api: HttpApi, headers: Headers): string | null {
  for (const part of (headers.get("link") ?? "").split(/,\s*(?=<)/)) {
    const match = /^<([^>]+)>\s*;(.*)$/.exec(part.trim());
    if (match === null || !/\brel="?next"?(\s|;|$)/.test(match[2]!)) continue;
    if (!URL.canParse(match[1]!, api.baseUrl)) throw malformed(`${api.platform} names no next page.`);
    return new URL(match[1]!, api.baseUrl).href;
  }
  return null;
}

/** Credentials stay at the host they belong to. */
function redirectTarget(api: HttpApi, from: string, response: Response): string {
  const location = response.headers.get("location");
  if (location === null || !URL.canParse(location, from)) {
    throw malformed(`${api.platform} redirects to nowhere (${response.status}).`);
  }
  const target = new URL(location, from);
  if (target.origin !== new URL(from).origin) {
    const message = `${api.platform} redirects to another host (${target.host}); sign-in data is not sent there.`;
    throw malformed(message);
  }
  return target.href;
}

function malformed(message: string): ConnectorError {
  return new ConnectorError("malformed", message);
}
