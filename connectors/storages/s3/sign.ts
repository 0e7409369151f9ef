import { hmacSha256, sha256Hex, toHex, utf8 } from "#core/kernel/crypto.ts";

/** What of a request is signed. `path` is not encoded; S3 does not tidy it up. */
export type SignedRequest = {
  method: string;
  path: string;
  query: readonly (readonly [string, string])[];
  /** With `host` and `x-amz-date`. */
  headers: readonly (readonly [string, string])[];
  /** SHA-256 of the body in hex. */
  payloadHash: string;
};

/** Whose signature it is and what it is good for. */
export type SigningKey = {
  accessKeyId: string;
  secretAccessKey: string;
  region: string;
  service: string;
  /** Epoch milliseconds. */
  at: number;
};

/** The steps of a signature; the tests hold every one of them against AWS's own vectors. */
export type Signature = { canonical: string; stringToSign: string; signature: string; authorization: string };

const ALGORITHM = "AWS4-HMAC-SHA256";

/** Signs a request with AWS Signature Version 4 (AWS General Reference, "Signing AWS API requests"). */
export async function sign(request: SignedRequest, key: SigningKey): Promise<Signature> {
  const { names, lines } = canonicalHeaders(request.headers);
  const canonical = [
    request.method,
    encodePath(request.path),
    encodeQuery(request.query),
    ...lines,
    "",
    names,
    request.payloadHash,
  ].join("\n");
  const time = amzDate(key.at);
  const scope = [time.slice(0, 8), key.region, key.service, "aws4_request"];
  const stringToSign = [ALGORITHM, time, scope.join("/"), await sha256Hex(utf8(canonical))].join("\n");
  let secret = utf8(`AWS4${key.secretAccessKey}`);
  for (const part of [...scope, stringToSign]) secret = await hmacSha256(secret, utf8(part));
  const signature = toHex(secret);
  const credential = `${key.accessKeyId}/${scope.join("/")}`;
  const authorization = `${ALGORITHM} Credential=${credential}, SignedHeaders=${names}, Signature=${signature}`;
  return { canonical, stringToSign, signature, authorization };
}

/** The time as requests carry it: `20150830T123600Z`. */
export function amzDate(at: number): string {
  return new Date(at).toISOString().replace(/[-:]|\.[0-9]{3}/g, "");
}

/** Everything but the unreserved signs of RFC 3986 is escaped; a slash divides. */
export function encodePath(path: string): string {
  return path.split("/").map(escapeAll).join("/");
}

/** A query string in the order in which it is signed. */
export function encodeQuery(query: SignedRequest["query"]): string {
  return query
    .map(([name, value]) => [escapeAll(name), escapeAll(value)] as const)
    .sort(([a, x], [b, y]) => compare(a, b) || compare(x, y))
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
}

function canonicalHeaders(headers: SignedRequest["headers"]): { names: string; lines: string[] } {
  const values = new Map<string, string[]>();
  for (const [name, value] of headers) {
    const known = values.get(name.toLowerCase()) ?? [];
    values.set(name.toLowerCase(), [...known, value.trim().replace(/\s+/g, " ")]);
  }
  const sorted = [...values].sort(([a], [b]) => compare(a, b));
  return {
    names: sorted.map(([name]) => name).join(";"),
    lines: sorted.map(([name, each]) => `${name}:${each.join(",")}`),
  };
}

const escapeAll = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));
