import type { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import {
  GENERAL_QUOTA,
  type RateLimitReport,
  type Session,
} from "#connectors/contract/platform-connector.ts";
import { type Clock, SECOND_MS } from "#core/kernel/clock.ts";
import { concatBytes } from "#core/kernel/crypto.ts";
import { withinTime } from "#core/kernel/within-time.ts";
import { outage, retryTime } from "./retry-time.ts";

/** Dependencies of a client; a `Session` provides all of them. */
export type HttpClientDeps = {
  fetch: (url: string, init?: RequestInit) => Promise<Response>;
  clock: Clock;
  sleep?: (ms: number) => Promise<void>;
  spend?: Session["spend"];
  report?: (limits: RateLimitReport) => Promise<void>;
  /** Returns a token for the Authorization header; called again with a rejected token. Absent = no sign-in. */
  accessToken?: (refused?: string) => Promise<string>;
  /** The method of that token's credential. */
  authMethod?: string;
  /** Number between 0 and 1, for the jitter. */
  random?: () => number;
  /** Time limit for a complete response, in ms. Default: one minute. */
  answerMs?: number;
};

/** The specifics of a platform's API. */
export type HttpApi = {
  /** The name in messages, e.g. "GitHub". */
  platform: string;
  baseUrl: string;
  headers: Readonly<Record<string, string>>;
  /** The quota that the API's responses name, if any; reserved before each call. */
  quota?: string;
  /** Value of the Authorization header for a token. Default: `Bearer …`. */
  authorization?: (token: string) => string;
  /** Quotas that a response reports. Default: one, from the headers of GitHub or of the IETF draft. */
  readLimits?: (headers: Headers) => readonly RateLimitReport[];
  /** Interprets errors whose status is misleading; null = the status is right. */
  readProblem?: (
    response: { status: number; headers: Headers },
    text: string,
    call: Pick<HttpCall, "about" | "missing" | "quota">,
    nowMs: number,
  ) => { error: ConnectorError; limits?: RateLimitReport } | null;
};

/** One call of an API. */
export type HttpCall = {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path below the base URL, or a full URL on the same host (from a Link header). */
  path: string;
  query?: Readonly<Record<string, string | number>>;
  /** Sent as JSON, or as a form when it is `URLSearchParams`. */
  body?: object | URLSearchParams;
  /** What the call is about, for messages: "this repository". */
  about: string;
  /** What a 404 means: the thing was deleted, or we have no access. Default `gone`. */
  missing?: "gone" | "forbidden";
  /** The call can be repeated safely. Default: everything but POST. */
  isRepeatable?: boolean;
  /** The quota it draws on, if it is not the API's. */
  quota?: string;
  /** Format of the response; `html` is returned as text. Default `json`. */
  answer?: "json" | "html";
};

/** A successful response. `json` is null when the status has no body (204, 304). */
export type HttpAnswer = { status: number; headers: Headers; json: unknown };

/** Client of a JSON API; every failure is a ConnectorError. */
export type HttpClient = {
  /** Sends a call and parses the response. @throws ConnectorError */
  request<S extends z.ZodType>(call: HttpCall, schema: S): Promise<z.output<S>>;
  /** Sends a call and returns the unparsed response. @throws ConnectorError */
  send(call: HttpCall): Promise<HttpAnswer>;
  /** Reads one page of a list, the URL of the next page, and the headers, e.g. for a total. */
  page<S extends z.ZodType>(
    call: HttpCall,
    schema: S,
  ): Promise<{ value: z.output<S>; next: string | null; headers: Headers }>;
  /**
   * Reads all members of a list by following its Link headers; yields each id once.
   * @throws ConnectorError, also when the pages form a cycle
   */
  members<T>(call: HttpCall, schema: z.ZodType<T[]>, idOf: (member: T) => string): AsyncGenerator<T>;
};

const ATTEMPTS = 4;
const FIRST_BACKOFF_MS = 500;
const ANSWER_TIMEOUT_MS = 60 * SECOND_MS;
const MOST_REDIRECTS = 3;
const MOST_PAGES = 1_000;
/** JSON responses are far smaller; a larger one is a fault of the platform or an attack on our memory. */
const LARGEST_ANSWER_BYTES = 16 * 1024 * 1024;
const REDIRECTS = [301, 302, 307, 308];

/** Creates a client for one API. */
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

/**
 * Reserves quota, sends the call and follows redirects, refreshes a rejected token once, and reports the rate limits.
 */
async function attemptCall(deps: HttpClientDeps, api: HttpApi, call: HttpCall): Promise<HttpAnswer> {
  let url = addressOf(api, call);
  let token = await deps.accessToken?.();
  let isRenewed = false;
  for (let hop = 0; hop <= MOST_REDIRECTS; ) {
    await deps.spend?.(1, call.quota ?? api.quota);
    const to = url;
    const { response, text } = await withinTime(deps.answerMs ?? ANSWER_TIMEOUT_MS, async (signal) => {
      const response = await fetchOnce(deps, api, call, { url: to, token, signal });
      return { response, text: await readText(api, response) };
    });
    const now = deps.clock.now();
    const problem = response.status < 400 ? null : (api.readProblem?.(response, text, call, now) ?? null);
    const retryAt = waitOf(response, text, now);
    const told = problem?.limits ? [problem.limits] : toldLimits(api, response.headers, retryAt);
    for (const limits of told) await deps.report?.(limits);
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
    if (response.status >= 400) {
      throw httpProblem(api, { ...call, authMethod: deps.authMethod }, response, text, now);
    }
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
  { url, token, signal }: { url: string; token: string | undefined; signal: AbortSignal },
): Promise<Response> {
  const headers: Record<string, string> = { accept: "application/json", ...api.headers };
  if (token !== undefined) headers.authorization = api.authorization?.(token) ?? `Bearer ${token}`;
  const init: RequestInit = { method: call.method, headers, redirect: "manual", signal };
  if (call.body instanceof URLSearchParams) {
    headers["content-type"] = "application/x-www-form-urlencoded";
    init.body = call.body.toString();
  } else if (call.body !== undefined) {
    headers["content-type"] = "application/json";
    init.body = JSON.stringify(call.body);
  }
  try {
    return await deps.fetch(url, init);
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

/** Turns an HTTP error into a ConnectorError. Quotes the platform's message, because users can act on it. */
export function httpProblem(
  api: Pick<HttpApi, "platform">,
  call: Pick<HttpCall, "about" | "missing"> & { authMethod?: string | undefined },
  response: { status: number; headers: Headers },
  text: string,
  nowMs: number,
): ConnectorError {
  const { status, headers } = response;
  const said = platformSentence(text);
  const fault = (
    kind: ConnectorError["kind"],
    sentence: string,
    more: { authMethod?: string; retryAt?: number } = {},
  ) => new ConnectorError(kind, `${sentence} (${status}).${said}`, { status, ...more });
  if (isRateLimited(response, text)) {
    const message = `${api.platform} asks us to wait (${status}).${said}`;
    return new ConnectorError("rate-limited", message, { status, retryAt: retryTime(headers, nowMs) });
  }
  if (status === 401) {
    const { authMethod } = call;
    return fault(
      "unauthorized",
      `${api.platform} no longer accepts our access`,
      authMethod ? { authMethod } : {},
    );
  }
  if (status === 403) return fault("forbidden", `${api.platform} refuses access to ${call.about}`);
  if (status === 404 && call.missing === "forbidden") {
    return fault("forbidden", `${api.platform} does not let us reach ${call.about}`);
  }
  if (status === 404) return fault("gone", `${api.platform} no longer shows ${call.about}`);
  if (status === 410 || status === 451)
    return fault("gone", `${api.platform} no longer offers ${call.about}`);
  if (status === 408 || status >= 500)
    return fault("unavailable", `${api.platform} is not available`, outage(status, headers, nowMs));
  if (status === 409) return fault("unavailable", `${api.platform} is busy with ${call.about}`);
  return fault("unsupported", `${api.platform} refuses the request about ${call.about}`);
}

/** GitHub distinguishes a secondary limit from a refusal only in the text; a 403 with quota left is a refusal. */
function isRateLimited({ status, headers }: { status: number; headers: Headers }, text: string): boolean {
  if (status === 429) return true;
  if (status !== 403) return false;
  return (
    headers.has("retry-after") ||
    headers.get("x-ratelimit-remaining") === "0" ||
    /rate limit|abuse detection|too many requests/i.test(text.slice(0, 4096))
  );
}

/**
 * Until when the platform asks us to wait; null = it does not. The error of an unavailable platform that asks is still
 * "unavailable", because the call may have taken effect.
 */
function waitOf(response: { status: number; headers: Headers }, text: string, nowMs: number): number | null {
  const { status, headers } = response;
  if (isRateLimited(response, text)) return retryTime(headers, nowMs);
  return outage(status, headers, nowMs).retryAt ?? null;
}

function toldLimits(api: HttpApi, headers: Headers, retryAt: number | null): readonly RateLimitReport[] {
  if (api.readLimits === undefined) return [limitsOf(headers, retryAt)];
  return [...api.readLimits(headers), ...(retryAt === null ? [] : [limitsOf(headers, retryAt)])];
}

/** Reads GitHub's headers, or those of the IETF draft without `x-`, which GitLab sends. */
function limitsOf(headers: Headers, retryAt: number | null): RateLimitReport {
  const number = (name: string) => {
    const text = headers.get(`x-${name}`) ?? headers.get(name);
    return text !== null && /^[0-9]{1,15}$/.test(text) ? Number(text) : null;
  };
  const reset = number("ratelimit-reset");
  return {
    resource: headers.get("x-ratelimit-resource") ?? headers.get("ratelimit-name") ?? GENERAL_QUOTA,
    remaining: number("ratelimit-remaining"),
    size: number("ratelimit-limit"),
    resetAt: reset === null ? null : reset * SECOND_MS,
    retryAt,
  };
}

/**
 * The message of an error body, with the messages of its members; never a web page. Supports the forms of GitHub,
 * OAuth (RFC 6749 section 5.2) and Rails: `{"message": {"name": ["has already been taken"]}}`.
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

/** The sentences of a string, a list of strings, or an object of sentences by field. */
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

/** Rejects redirects to another host, because they would leak credentials. */
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
