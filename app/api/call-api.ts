import type * as z from "zod/mini";
import { errorText } from "#app/api/error-text.ts";
import { browserStores, hasExpired } from "#app/session/marker.ts";

/** A schema of the library, in either of its forms; the library itself is not needed here. */
export type ResultSchema = z.core.$ZodType & {
  safeParse: (value: unknown) => { success: true; data: unknown } | { success: false };
};

/** A good answer: `result` checked by the caller's schema, `body` the whole envelope for fields beside it. */
export type ApiAnswer<Result> = {
  result: Result;
  message: string | null;
  body: Readonly<Record<string, unknown>>;
};

/**
 * A call that was refused, failed, or never arrived. `message` is the server's sentence in plain words, without a
 * period at its end (spec A-414 to A-418, A-441 to A-443); `status` is the HTTP status, 0 when no answer came;
 * `isWarning` separates the spec's warning dialog from its error dialog; `details` carries what the server added (such
 * as when a window opens again).
 */
export class ApiError extends Error {
  override name = "ApiError";
  readonly code: string;
  readonly status: number;
  readonly isWarning: boolean;
  readonly details: unknown;
  readonly requestId: string | null;

  constructor(
    message: string,
    facts: {
      code: string;
      status: number;
      isWarning?: boolean;
      details?: unknown;
      requestId?: string | null;
    },
  ) {
    super(message);
    this.code = facts.code;
    this.status = facts.status;
    this.isWarning = facts.isWarning ?? false;
    this.details = facts.details ?? null;
    this.requestId = facts.requestId ?? null;
  }
}

export type ApiCall<Schema extends ResultSchema> = {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Query parameters; null and undefined ones are left out. */
  query?: Readonly<Record<string, string | number | boolean | null | undefined>>;
  /** Sent as JSON. */
  body?: unknown;
  /** Checks `result`; without it the result is unknown. */
  schema?: Schema;
  /** Our names in the answer → the path's own; they are ours again before `schema` checks them. */
  answers?: Readonly<Record<string, string>>;
  /** Aborting rejects with the signal's reason (an AbortError), never with an ApiError. */
  signal?: AbortSignal;
  /**
   * The caller deals with every failure itself: no popup, no way to the sign-in page (spec A-420 to A-425). Calls of
   * `identity/…` are always so, since a wrong password is no ended session.
   */
  isQuiet?: boolean;
  /** What is shown when a failed answer brings no sentence (spec A-427, A-428). */
  fallback?: string;
  /** Replaces the browser's fetch in tests. */
  fetch?: typeof fetch;
};

/** Hears of every failure of a call that is not quiet, before the caller does. */
export type FailureListener = (failure: ApiError) => void;

let listener: FailureListener | null = null;

/** Makes `next` the one listener of the page; the answer stops it again. */
export function listenToFailures(next: FailureListener): () => void {
  listener = next;
  return () => {
    if (listener === next) listener = null;
  };
}

/**
 * Asks the public API from a screen; the session cookie says who asks. `path` is the spec's path, e.g.
 * `user/get-items-backups`, or the whole address from the registry, e.g. `/api/github/backup-now`. A path that begins
 * with `identity/` goes to the identity service, which lives beside `/api` under the same origin.
 *
 * @throws {ApiError} for every answer that is not `success`, an answer of another shape, and a lost connection.
 */
export async function callApi<Schema extends ResultSchema = z.ZodMiniUnknown>(
  path: string,
  call: ApiCall<Schema> = {},
): Promise<ApiAnswer<z.output<Schema>>> {
  try {
    return await ask(path, call);
  } catch (error) {
    if (!(error instanceof ApiError) || call.isQuiet || isIdentity(path)) throw error;
    const told = error.status === 403 && isSessionOver() ? withoutSession(error) : error;
    listener?.(told);
    throw told;
  }
}

async function ask<Schema extends ResultSchema>(
  path: string,
  call: ApiCall<Schema>,
): Promise<ApiAnswer<z.output<Schema>>> {
  const method = call.method ?? "GET";
  const response = await send(call.fetch ?? fetch, address(path, call.query), {
    method,
    credentials: "same-origin",
    headers: {
      Accept: "application/json",
      ...(call.body === undefined ? {} : { "Content-Type": "application/json" }),
    },
    ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    ...(call.signal === undefined ? {} : { signal: call.signal }),
  });
  const requestId = response.headers.get("x-request-id");
  const envelope = readEnvelope(await readJson(response, call.signal), call.answers);
  const fallback = call.fallback ?? UNEXPECTED;
  if (!envelope) throw unexpected(fallback, response.status, requestId);
  const { status, message, result, code } = envelope;
  if (status !== "success" || !response.ok) {
    throw new ApiError(errorText(message || fallback), {
      code: code ?? "err.internal",
      status: response.status,
      isWarning: status === "warning",
      details: result,
      requestId,
    });
  }
  const checked = call.schema ? call.schema.safeParse(result) : { success: true as const, data: result };
  if (!checked.success) throw unexpected(fallback, response.status, requestId);
  return { result: checked.data as z.output<Schema>, message, body: envelope.body };
}

type Envelope = {
  status: "success" | "failure" | "warning";
  message: string | null;
  code: string | null;
  result: unknown;
  body: Readonly<Record<string, unknown>>;
};

/** The envelope of every answer of the API (spec part 2 section 7), some with fields beside `result`; null for anything else. */
function readEnvelope(answer: unknown, answers: ApiCall<z.ZodMiniUnknown>["answers"]): Envelope | null {
  if (typeof answer !== "object" || answer === null) return null;
  const body = inOurNames(answers, answer) as Record<string, unknown>;
  const status = (["success", "failure", "warning"] as const).find((each) => each === body.status);
  if (!status) return null;
  const message = body.message ?? null;
  const code = body.code ?? null;
  if (message !== null && typeof message !== "string") return null;
  if (code !== null && typeof code !== "string" && typeof code !== "number") return null;
  const result = inOurNames(answers, body.result);
  return { status, message, code: code === null ? null : String(code), result, body };
}

/** The members of an object under our names; lists and plain values stay as they are. */
function inOurNames(answers: ApiCall<z.ZodMiniUnknown>["answers"], value: unknown): unknown {
  if (!answers || typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const ours = new Map(Object.entries(answers).map(([our, wire]) => [wire, our]));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [ours.get(name) ?? name, member]));
}

/** Spec A-427; a failed restore has its own sentence (A-428). */
const UNEXPECTED = "Error on data load. Try later";
const UNREACHABLE = "The server could not be reached. Check your connection and try again";

function address(path: string, query: ApiCall<z.ZodMiniUnknown>["query"]): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== null && value !== undefined) parameters.set(name, String(value));
  }
  const text = parameters.toString();
  const bare = path.replace(/^\/?(api\/)?/, "");
  return `${isIdentity(path) ? "/" : "/api/"}${bare}${text === "" ? "" : `?${text}`}`;
}

function isIdentity(path: string): boolean {
  return /^\/?identity\//.test(path);
}

async function send(fetcher: typeof fetch, url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetcher(url, init);
  } catch (cause) {
    init.signal?.throwIfAborted();
    throw Object.assign(new ApiError(UNREACHABLE, { code: "err.network", status: 0 }), { cause });
  }
}

async function readJson(response: Response, signal: AbortSignal | undefined): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    signal?.throwIfAborted();
    return null;
  }
}

/** A session was ended here and none has begun since: what is forbidden needs signing in first (spec A-423). */
function isSessionOver(): boolean {
  return typeof window !== "undefined" && hasExpired(browserStores());
}

function withoutSession(error: ApiError): ApiError {
  const facts = { code: "err.session.expired", status: error.status, requestId: error.requestId };
  return Object.assign(new ApiError("Authorization Required", facts), { cause: error });
}

function unexpected(text: string, status: number, requestId: string | null): ApiError {
  return new ApiError(text, { code: "err.internal", status, requestId });
}
