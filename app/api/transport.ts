import { errorText, isServerFailure } from "#app/api/error-text.ts";
import { browserStores, hasExpired } from "#app/session/marker.ts";

/** A successful answer. `beside` is the whole envelope, for members beside `result`. */
export type Answer<Result = unknown, Beside = unknown> = {
  result: Result;
  message: string | null;
  beside: Beside;
};

/**
 * A call that was rejected, failed, or got no response. `message` is the server's message for users, without the
 * trailing period (spec A-414 to A-418, A-441 to A-443). `status` is the HTTP status, 0 without a response. `isWarning`
 * selects the spec's warning dialog instead of its error dialog. `details` has the server's extra data, such as when a
 * window opens again.
 */
export class ApiError extends Error {
  override name = "ApiError";
  readonly code: string;
  readonly status: number;
  readonly isWarning: boolean;
  readonly details: unknown;
  readonly requestId: string | null;
  /** The page has shown it already, so that the caller opens no second dialog. */
  isShown = false;

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

  /** When a used window opens again, in epoch ms; null when the refusal does not say. */
  get opensAt(): number | null {
    const { details } = this;
    if (typeof details !== "object" || details === null || !("opensAt" in details)) return null;
    return typeof details.opensAt === "number" ? details.opensAt : null;
  }
}

/** Settings of a call beside its input. */
export type CallOptions = {
  /** Aborting rejects with the signal's reason (an AbortError), not with an ApiError. */
  signal?: AbortSignal;
  /**
   * The caller handles every failure: no popup, no redirect to the sign-in page (spec A-420 to A-425). Calls of
   * `identity/…` are always quiet, because a wrong password does not end the session.
   */
  isQuiet?: boolean;
  /** The message when a failed answer has none (spec A-427, A-428). */
  fallback?: string;
  /** Replaces the browser's fetch in tests. */
  fetch?: typeof fetch;
};

export type Request = CallOptions & {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Query parameters. Null and undefined values are omitted. */
  query?: Readonly<Record<string, string | number | boolean | null | undefined>>;
  /** Sent as JSON. */
  body?: unknown;
  /** Our names in the answer → the path's own names. Members are renamed to ours. */
  answers?: Names;
};

/** Our names → the names of a path. */
type Names = Readonly<Record<string, string>>;

/** Called on every failure of a non-quiet call, before the caller gets it. Returns whether it shows the failure. */
export type FailureListener = (failure: ApiError) => boolean;

let listener: FailureListener | null = null;

/** Failures of calls before there was a listener, which loads after the page: a click may be faster. */
let unheard: ApiError[] = [];

/** Upper bound of `unheard`. The listener shows one popup in any case. */
const MAX_UNHEARD = 4;

/**
 * Makes `next` the page's only failure listener, and tells it the failures that came before. Returns a function that
 * removes it.
 */
export function listenToFailures(next: FailureListener): () => void {
  listener = next;
  const missed = unheard;
  unheard = [];
  for (const failure of missed) next(failure);
  return () => {
    if (listener === next) listener = null;
  };
}

/**
 * Sends a call to the public API, authenticated by the session cookie. Screens use the typed `callApi` and
 * `callPlatform` instead. `path` is the spec's path, e.g.
 * `user/get-items-backups`, or the full path from the registry, e.g. `/api/github/backup-now`. A path that begins with
 * `identity/` goes to the identity service, which is next to `/api` on the same origin.
 *
 * @throws {ApiError} when the answer is not `success`, is malformed, or the connection is lost
 */
export async function request(path: string, call: Request = {}): Promise<Answer> {
  try {
    return await ask(path, call);
  } catch (error) {
    if (!(error instanceof ApiError) || call.isQuiet || isIdentity(path)) throw error;
    throw reportFailure(error.status === 403 && isSessionOver() ? withoutSession(error) : error);
  }
}

/** Reports a failure to the page's listener, or keeps it until there is one. Returns it, so that it can be thrown. */
export function reportFailure(failure: ApiError): ApiError {
  if (listener) failure.isShown = listener(failure);
  else {
    if (unheard.length < MAX_UNHEARD) unheard.push(failure);
    failure.isShown = isServerFailure(failure);
  }
  return failure;
}

async function ask(path: string, call: Request): Promise<Answer> {
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
  return { result, message, beside: envelope.body };
}

type Envelope = {
  status: "success" | "failure" | "warning";
  message: string | null;
  code: string | null;
  result: unknown;
  body: Readonly<Record<string, unknown>>;
};

/**
 * Parses the envelope of an API answer (spec part 2 section 7); some have fields beside `result`. Returns null for
 * anything else.
 */
function readEnvelope(answer: unknown, answers: Names | undefined): Envelope | null {
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

/** Renames the members of an object to our names. Lists and plain values do not change. */
function inOurNames(answers: Names | undefined, value: unknown): unknown {
  if (!answers || typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const ours = new Map(Object.entries(answers).map(([our, wire]) => [wire, our]));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [ours.get(name) ?? name, member]));
}

/** Spec A-427; a failed restore has its own sentence (A-428). */
const UNEXPECTED = "Error on data load. Try later";
const UNREACHABLE = "The server could not be reached. Check your connection and try again";

function address(path: string, query: Request["query"]): string {
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

/** Fetches a static file, such as a word list. It is not an API call. */
export function fetchFile(path: string): Promise<Response> {
  return fetch(path);
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

/**
 * True when a session ended in this browser and no new one began. A 403 then means that the user must sign in (spec
 * A-423).
 */
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
