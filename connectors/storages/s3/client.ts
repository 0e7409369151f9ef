import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { StorageSession } from "#connectors/contract/storage-connector.ts";
import { MINUTE_MS } from "#core/kernel/clock.ts";
import { sha256Hex } from "#core/kernel/crypto.ts";
import { type Bucket, readRefusal, textOf } from "./refusal.ts";
import { amzDate, encodePath, encodeQuery, sign } from "./sign.ts";

/** The folder of the bucket that is ours. */
const FOLDER = "Holdfast";

/** One call of S3 about an object, or about the bucket when `key` is null. */
export type S3Call = {
  method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE";
  key: string | null;
  query?: readonly (readonly [string, string])[];
  headers?: Readonly<Record<string, string>>;
  body?: Uint8Array;
  /** Statuses besides 2xx that are an answer, not a failure. */
  allows?: readonly number[];
  /** Sent once only, because repeating it would begin something again. */
  isOnce?: true;
};

/** A good answer, its body read. */
export type S3Answer = { status: number; headers: Headers; text: string };

const ATTEMPTS = 4;
const FIRST_BACKOFF_MS = 500;
const ANSWER_TIMEOUT_MS = 5 * MINUTE_MS;
/** Lists of a thousand parts have some 300 kB. */
const LARGEST_ANSWER = 4 * 1024 * 1024;

/** Where a file of ours lies in the bucket. */
export const objectKey = (path: string): string => `${FOLDER}/${path}`;

/** Sends a signed call; a passing fault is tried again a few times. @throws ConnectorError */
export async function callS3(session: StorageSession, call: S3Call): Promise<S3Answer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await callOnce(session, call);
    } catch (error) {
      const passes = error instanceof ConnectorError && error.kind === "unavailable";
      if (!passes || call.isOnce || attempt === ATTEMPTS) throw error;
      await session.sleep(FIRST_BACKOFF_MS * 2 ** (attempt - 1));
    }
  }
}

async function callOnce(session: StorageSession, call: S3Call): Promise<S3Answer> {
  await session.spend(1);
  const bucket = bucketOf(session);
  const { url, host, path } = addressOf(session, bucket, call.key);
  const payloadHash = await sha256Hex(call.body ?? "");
  const at = session.clock.now();
  const headers = {
    ...call.headers,
    host,
    "x-amz-content-sha256": payloadHash,
    "x-amz-date": amzDate(at),
  };
  const query = call.query ?? [];
  const { authorization } = await sign(
    { method: call.method, path, query, headers: Object.entries(headers), payloadHash },
    {
      accessKeyId: session.keys.accessKeyID ?? "",
      secretAccessKey: session.keys.secretAccessKey ?? "",
      region: bucket.region,
      service: "s3",
      at,
    },
  );
  const { host: _, ...sent } = headers;
  const answer = await exchange(session, `${url}${query.length > 0 ? `?${encodeQuery(query)}` : ""}`, {
    method: call.method,
    headers: { ...sent, authorization },
    body: call.body as Uint8Array<ArrayBuffer> | undefined,
    signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
  });
  // Completing an upload may fail after its status was sent: then the body tells.
  const isGood = answer.status < 300 && !/^\s*(?:<\?xml[^>]*\?>\s*)?<Error>/.test(answer.text);
  if (isGood || call.allows?.includes(answer.status)) return answer;
  const refusal = { ...answer, status: answer.status < 300 ? 500 : answer.status, xml: answer.text };
  const error = readRefusal(refusal, bucket, session.clock.now());
  if (error.retryAt !== null) {
    await session.report({ resource: "core", remaining: null, resetAt: null, retryAt: error.retryAt });
  }
  throw error;
}

async function exchange(session: StorageSession, url: string, init: RequestInit): Promise<S3Answer> {
  try {
    const response = await session.fetch(url, init);
    const { status, headers } = response;
    const text = await response.text();
    if (text.length > LARGEST_ANSWER) throw new Error("the answer is too large");
    return { status, headers, text };
  } catch (cause) {
    if (cause instanceof ConnectorError) throw cause;
    throw new ConnectorError("unavailable", "AWS S3 cannot be reached.", { cause });
  }
}

function bucketOf({ keys }: StorageSession): Bucket {
  return { bucketName: keys.bucketName ?? "", region: keys.region ?? "" };
}

/** A certificate covers one label before S3's own name, so buckets with dots are named in the path. */
function addressOf(
  { config }: StorageSession,
  { bucketName, region }: Bucket,
  key: string | null,
): { url: string; host: string; path: string } {
  const base = new URL((config.S3_API_URL ?? "").replace("{region}", region));
  const isVirtual = config.S3_ADDRESSING !== "path" && !bucketName.includes(".");
  const host = isVirtual ? `${bucketName}.${base.host}` : base.host;
  const path = `${isVirtual ? "" : `/${bucketName}`}${key === null ? (isVirtual ? "/" : "") : `/${key}`}`;
  return { url: `${base.protocol}//${host}${encodePath(path)}`, host, path };
}

/** The text of an element that must be there. @throws ConnectorError `malformed` */
export function requireText(answer: S3Answer, element: string): string {
  const text = textOf(answer.text, element);
  if (text === null) throw new ConnectorError("malformed", `AWS S3's answer names no ${element}.`);
  return text;
}
