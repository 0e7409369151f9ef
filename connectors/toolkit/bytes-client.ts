import { ConnectorError } from "#connectors/contract/connector-error.ts";
import { GENERAL_QUOTA } from "#connectors/contract/platform-connector.ts";
import type { PutOrder, StorageSession } from "#connectors/contract/storage-connector.ts";
import { MINUTE_MS } from "#core/kernel/clock.ts";
import { withinTime } from "#core/kernel/within-time.ts";

/** The specifics of a storage that is accessed with a token. */
export type BytesApi = {
  /** The name in messages, e.g. "Dropbox". */
  label: string;
  /** Turns an error response into a ConnectorError. */
  refusal(answer: BytesAnswer, call: BytesCall, nowMs: number): ConnectorError;
};

/** One call. Its URL must belong to the storage, because the token is sent to it. */
export type BytesCall = {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  url: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  /** What the call is about, for messages: "this copy". */
  about: string;
  /** Statuses besides 2xx that do not throw. */
  allows?: readonly number[];
  /** Not retried: after a temporary failure the caller first queries the progress. */
  isOnce?: true;
};

/** A response with its body. */
export type BytesAnswer = { status: number; headers: Headers; text: string };

type BytesDeps = Pick<StorageSession, "fetch" | "accessToken" | "spend" | "report" | "clock" | "sleep">;

const ATTEMPTS = 4;
const FIRST_BACKOFF_MS = 500;
/** Allows for several MiB over a slow connection. */
const ANSWER_TIMEOUT_MS = 5 * MINUTE_MS;
const LARGEST_ANSWER_BYTES = 4 * 1024 * 1024;

/**
 * Sends a call with the session's token. Retries temporary failures a few times, refreshes a rejected token once, and
 * never follows redirects.
 * @throws ConnectorError
 */
export async function callWithBytes(deps: BytesDeps, api: BytesApi, call: BytesCall): Promise<BytesAnswer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await callOnce(deps, api, call);
    } catch (error) {
      const passes = error instanceof ConnectorError && error.kind === "unavailable";
      if (!passes || call.isOnce || attempt === ATTEMPTS) throw error;
      await deps.sleep(backoffMs(attempt));
    }
  }
}

/** The delay after a number of consecutive failures. */
export function backoffMs(failures: number): number {
  return FIRST_BACKOFF_MS * 2 ** (failures - 1);
}

/** Reads a whole range of a file into memory. @throws Error when the source has another number of bytes */
export async function readRange(
  order: Pick<PutOrder, "path" | "read">,
  offset: number,
  length: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(length);
  let used = 0;
  for await (const chunk of order.read({ offset, length })) {
    if (used + chunk.length > length) throw new Error(`${order.path} gave more than ${length} bytes`);
    bytes.set(chunk, used);
    used += chunk.length;
  }
  if (used !== length) throw new Error(`${order.path} gave ${used} bytes of ${length}`);
  return bytes;
}

async function callOnce(deps: BytesDeps, api: BytesApi, call: BytesCall): Promise<BytesAnswer> {
  let token = await deps.accessToken();
  for (let isRenewed = false; ; isRenewed = true) {
    await deps.spend(1);
    const answer = await exchange(deps, api, call, token);
    if (answer.status < 300 || call.allows?.includes(answer.status)) return answer;
    if (answer.status === 401 && !isRenewed) {
      const renewed = await deps.accessToken(token);
      if (renewed !== token) {
        token = renewed;
        continue;
      }
    }
    const error = api.refusal(answer, call, deps.clock.now());
    if (error.retryAt !== null) {
      await deps.report({
        resource: GENERAL_QUOTA,
        remaining: null,
        resetAt: null,
        retryAt: error.retryAt,
      });
    }
    throw error;
  }
}

async function exchange(
  deps: BytesDeps,
  api: BytesApi,
  { method, url, headers, body }: BytesCall,
  token: string,
): Promise<BytesAnswer> {
  try {
    return await withinTime(ANSWER_TIMEOUT_MS, async (signal) => {
      const response = await deps.fetch(url, {
        method,
        headers: { ...headers, authorization: `Bearer ${token}` },
        body: body as string | Uint8Array<ArrayBuffer> | undefined,
        redirect: "manual",
        signal,
      });
      const length = Number(response.headers.get("content-length") ?? 0);
      if (length > LARGEST_ANSWER_BYTES) {
        await response.body?.cancel();
        throw new ConnectorError("malformed", `${api.label}'s answer is too large.`);
      }
      return { status: response.status, headers: response.headers, text: await response.text() };
    });
  } catch (cause) {
    if (cause instanceof ConnectorError) throw cause;
    throw new ConnectorError("unavailable", `${api.label} cannot be reached.`, { cause });
  }
}
