import { AwsV4Signer } from "aws4fetch";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { StorageSession } from "#connectors/contract/storage-connector.ts";
import { MINUTE_MS } from "#core/kernel/clock.ts";
import { sha256Hex } from "#core/kernel/crypto.ts";
import { withinTime } from "#core/kernel/within-time.ts";
import { type Bucket, readRefusal, textOf } from "./refusal.ts";

/** Our folder in the bucket. */
const FOLDER = "Holdfast";

/** An S3 call about an object, or about the bucket when `key` is null. */
export type S3Call = {
  method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE";
  key: string | null;
  query?: readonly (readonly [string, string])[];
  headers?: Readonly<Record<string, string>>;
  body?: Uint8Array;
  /** Statuses besides 2xx that do not throw. */
  allows?: readonly number[];
  /** Not retried, because a repetition would start something twice. */
  isOnce?: true;
};

/** A successful response with its body. */
export type S3Answer = { status: number; headers: Headers; text: string };

const ATTEMPTS = 4;
const FIRST_BACKOFF_MS = 500;
const ANSWER_TIMEOUT_MS = 5 * MINUTE_MS;
/** A list of 1,000 parts has about 300 kB. */
const LARGEST_ANSWER = 4 * 1024 * 1024;

/** The object key of a file. */
export const objectKey = (path: string): string => `${FOLDER}/${path}`;

/** Sends a signed call; retries temporary failures a few times. @throws ConnectorError */
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
  const { url, headers } = await new AwsV4Signer({
    method: call.method,
    url: addressOf(session, bucket, call),
    // S3 rejects a body that does not match the hash in the signature.
    headers: { ...call.headers, "x-amz-content-sha256": await sha256Hex(call.body ?? "") },
    allHeaders: true,
    accessKeyId: session.keys.accessKeyID ?? "",
    secretAccessKey: session.keys.secretAccessKey ?? "",
    service: "s3",
    region: bucket.region,
    datetime: new Date(session.clock.now()).toISOString().replace(/[-:]|\.[0-9]{3}/g, ""),
  }).sign();
  const answer = await exchange(session, url.href, {
    method: call.method,
    headers,
    body: call.body as Uint8Array<ArrayBuffer> | undefined,
  });
  // Completing an upload may fail after the status was sent; the body then contains the error.
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
    return await withinTime(ANSWER_TIMEOUT_MS, async (signal) => {
      const response = await session.fetch(url, { ...init, signal });
      const { status, headers } = response;
      const text = await response.text();
      if (text.length > LARGEST_ANSWER) throw new Error("the answer is too large");
      return { status, headers, text };
    });
  } catch (cause) {
    if (cause instanceof ConnectorError) throw cause;
    throw new ConnectorError("unavailable", "AWS S3 cannot be reached.", { cause });
  }
}

function bucketOf({ keys }: StorageSession): Bucket {
  return { bucketName: keys.bucketName ?? "", region: keys.region ?? "" };
}

/**
 * Puts bucket names with dots into the path, because S3's certificate covers only one label before its host name.
 * Escapes everything but the unreserved characters of RFC 3986, as in the signature; S3 would read `+` as a space.
 */
function addressOf({ config }: StorageSession, { bucketName, region }: Bucket, call: S3Call): string {
  const base = new URL((config.S3_API_URL ?? "").replace("{region}", region));
  const isVirtual = config.S3_ADDRESSING !== "path" && !bucketName.includes(".");
  const host = isVirtual ? `${bucketName}.${base.host}` : base.host;
  const path = [...(isVirtual ? [] : [bucketName]), ...(call.key?.split("/") ?? [])].map(escapeAll).join("/");
  const query = call.query?.map((pair) => pair.map(escapeAll).join("=")).join("&");
  return `${base.protocol}//${host}/${path}${query ? `?${query}` : ""}`;
}

const escapeAll = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/** The text of a required element. @throws ConnectorError `malformed` */
export function requireText(answer: S3Answer, element: string): string {
  const text = textOf(answer.text, element);
  if (text === null) throw new ConnectorError("malformed", `AWS S3's answer names no ${element}.`);
  return text;
}
