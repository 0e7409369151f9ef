import { ConnectorError, type ConnectorErrorKind } from "#connectors/contract/connector-error.ts";
import { SECOND_MS } from "#core/kernel/clock.ts";

/** An error response from S3. */
export type S3Refusal = { status: number; headers: Headers; xml: string };
/** The bucket as the customer entered it. */
export type Bucket = { bucketName: string; region: string };

/** How long to wait when S3 asks us to slow down without a time. */
const SLOW_DOWN_MS = 10 * SECOND_MS;

/** Kinds by code, where the status alone is ambiguous (S3 API reference, "Error responses"). */
const KIND_OF_CODE: Readonly<Record<string, ConnectorErrorKind>> = {
  InvalidAccessKeyId: "unauthorized",
  SignatureDoesNotMatch: "unauthorized",
  ExpiredToken: "unauthorized",
  InvalidToken: "unauthorized",
  RequestTimeTooSkewed: "unavailable",
  NoSuchBucket: "gone",
  NoSuchUpload: "malformed",
  QuotaExceeded: "full",
  EntityTooLarge: "full",
  XMinioStorageFull: "full",
  SlowDown: "rate-limited",
  TooManyRequests: "rate-limited",
  BadDigest: "unavailable",
  XAmzContentSHA256Mismatch: "unavailable",
  IncompleteBody: "unavailable",
  RequestTimeout: "unavailable",
  InternalError: "unavailable",
  ServiceUnavailable: "unavailable",
  OperationAborted: "unavailable",
  EntityTooSmall: "malformed",
  InvalidPart: "malformed",
  InvalidPartOrder: "malformed",
};

/** Turns an error response into a ConnectorError whose message names the bucket but never the keys. */
export function readRefusal(refusal: S3Refusal, bucket: Bucket, now: number): ConnectorError {
  const code = plain(textOf(refusal.xml, "Code")) ?? "";
  const elsewhere = regionOf(refusal, bucket);
  const options = { status: refusal.status };
  if (elsewhere !== null) {
    const where = elsewhere === "" ? "in another region" : `in ${elsewhere}`;
    const message = `The bucket “${bucket.bucketName}” lies ${where}, not in ${bucket.region}. Disconnect the storage and connect it with the right region.`;
    return new ConnectorError("unsupported", message, options);
  }
  const kind = KIND_OF_CODE[code] ?? kindOfStatus(refusal.status);
  if (kind === "rate-limited") {
    const seconds = Number(refusal.headers.get("retry-after"));
    const wait = Number.isInteger(seconds) && seconds > 0 ? seconds * SECOND_MS : SLOW_DOWN_MS;
    return new ConnectorError(kind, "AWS S3 asks us to wait.", { ...options, retryAt: now + wait });
  }
  const said = code === "" ? "" : ` It said: ${code}.`;
  return new ConnectorError(kind, `${sentenceOf(kind, bucket)} (${refusal.status}).${said}`, options);
}

/**
 * The text of an element in S3's XML; null when it is absent. Elements with attributes do not match; S3 uses none
 * here.
 */
export function textOf(xml: string, element: string): string | null {
  const found = new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml);
  return found ? decode(found[1]!) : null;
}

/** The inner XML of every element with the name. */
export function elementsOf(xml: string, element: string): string[] {
  const [opening, closing] = [`<${element}>`, `</${element}>`];
  const found: string[] = [];
  for (let at = xml.indexOf(opening); at >= 0; ) {
    const from = at + opening.length;
    const to = xml.indexOf(closing, from);
    if (to < 0) break;
    found.push(xml.slice(from, to));
    at = xml.indexOf(opening, to + closing.length);
  }
  return found;
}

/** The bucket's actual region, empty if S3 does not name it; null = the error is about something else. */
function regionOf({ status, headers, xml }: S3Refusal, { region }: Bucket): string | null {
  const actual = plain(headers.get("x-amz-bucket-region") ?? textOf(xml, "Region"));
  const code = textOf(xml, "Code");
  if (status === 301 || code === "PermanentRedirect") return actual === region ? "" : (actual ?? "");
  if (code === "AuthorizationHeaderMalformed" || code === "IllegalLocationConstraintException")
    return actual === region ? "" : (actual ?? "");
  // A HEAD response has no body, so only the header names the region.
  return status === 400 && actual !== null && actual !== region ? actual : null;
}

/** Returns a code or region only if it has S3's format; other text is not shown to users. */
function plain(text: string | null): string | null {
  return text !== null && /^[A-Za-z0-9._-]{1,60}$/.test(text) ? text : null;
}

function kindOfStatus(status: number): ConnectorErrorKind {
  if (status === 401) return "unauthorized";
  if (status === 403) return "forbidden";
  if (status === 404) return "gone";
  if (status === 429) return "rate-limited";
  if (status === 507) return "full";
  if (status === 408 || status === 409 || status >= 500 || status === 307) return "unavailable";
  return "unsupported";
}

function sentenceOf(kind: ConnectorErrorKind, { bucketName }: Bucket): string {
  switch (kind) {
    case "unauthorized":
      return "AWS S3 does not accept the access key";
    case "forbidden":
      return `The access key may not do this in the bucket “${bucketName}”`;
    case "gone":
      return `The bucket “${bucketName}” is not there any more`;
    case "full":
      return `The bucket “${bucketName}” has no room for this copy`;
    case "malformed":
      return "AWS S3 did not take the parts of the copy as they were sent";
    case "unavailable":
    case "rate-limited":
      return "AWS S3 is not available";
    case "unsupported":
      return `AWS S3 refuses to keep copies in the bucket “${bucketName}”`;
    default:
      return kind satisfies never;
  }
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function decode(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|apos|#[0-9]+);/g, (_, name: string) =>
    name.startsWith("#") ? String.fromCodePoint(Number(name.slice(1))) : ENTITIES[name]!,
  );
}
