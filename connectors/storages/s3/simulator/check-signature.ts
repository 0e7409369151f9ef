import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { S3Problem } from "./answer.ts";
import type { S3World, SimulatedKey } from "./state.ts";

const FORM =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/([0-9]{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;
const LONGEST_SKEW_MS = 15 * 60 * 1000;

/** Checks a request's signature as Amazon does. Independent of the product's own signing code. @throws S3Problem */
export function checkSignature(
  world: S3World,
  request: IncomingMessage,
  body: Buffer,
): { key: SimulatedKey; region: string } {
  const said = FORM.exec(request.headers.authorization ?? "");
  if (!said) throw new S3Problem(403, "AccessDenied", "Access Denied");
  const [, accessKeyId = "", day = "", region = "", names = "", signature = ""] = said;
  const key = world.state.keys.find((each) => each.accessKeyId === accessKeyId && each.isActive);
  if (!key) {
    const message = "The AWS Access Key Id you provided does not exist in our records.";
    throw new S3Problem(403, "InvalidAccessKeyId", message, { elements: { AWSAccessKeyId: accessKeyId } });
  }
  const time = headerOf(request, "x-amz-date");
  const hash = headerOf(request, "x-amz-content-sha256");
  const signed = names.split(";");
  for (const needed of ["host", "x-amz-date", "x-amz-content-sha256"]) {
    if (!signed.includes(needed))
      throw new S3Problem(403, "AccessDenied", `The header ${needed} is not signed`);
  }
  const url = new URL(request.url ?? "/", "http://s3");
  const query = [...url.searchParams]
    .map(([name, value]) => `${escapeAll(name)}=${escapeAll(value)}`)
    .sort()
    .join("&");
  const path = url.pathname
    .split("/")
    .map((part) => escapeAll(decodeURIComponent(part)))
    .join("/");
  const lines = signed.map((name) => `${name}:${headerOf(request, name)}\n`).join("");
  const canonical = `${request.method}\n${path}\n${query}\n${lines}\n${names}\n${hash}`;
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = `AWS4-HMAC-SHA256\n${time}\n${scope}\n${sha256(canonical)}`;
  const expected = scope
    .split("/")
    .reduce<Buffer | string>((secret, part) => hmac(secret, part), `AWS4${key.secretAccessKey}`);
  if (!timingSafeEqual(hmac(expected, text), Buffer.from(signature, "hex"))) {
    const message = "The request signature we calculated does not match the signature you provided.";
    throw new S3Problem(403, "SignatureDoesNotMatch", message);
  }
  if (world.settings.checksClock) checkTime(time, day);
  if (hash !== sha256(body)) {
    const message = "The provided 'x-amz-content-sha256' header does not match what was computed.";
    throw new S3Problem(400, "XAmzContentSHA256Mismatch", message);
  }
  return { key, region };
}

function checkTime(time: string, day: string): void {
  const at = Date.parse(time.replace(/^(....)(..)(..T..)(..)(..Z)$/, "$1-$2-$3:$4:$5"));
  if (!time.startsWith(day) || !(Math.abs(Date.now() - at) < LONGEST_SKEW_MS)) {
    const message = "The difference between the request time and the current time is too large.";
    throw new S3Problem(403, "RequestTimeTooSkewed", message);
  }
}

function headerOf(request: IncomingMessage, name: string): string {
  const value = request.headers[name];
  return (Array.isArray(value) ? value.join(",") : (value ?? "")).trim().replace(/ +/g, " ");
}

const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest("hex");
const hmac = (secret: Buffer | string, text: string) => createHmac("sha256", secret).update(text).digest();
const escapeAll = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
