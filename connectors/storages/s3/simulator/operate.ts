import type { IncomingMessage } from "node:http";
import { S3Problem, type S3Reply } from "./answer.ts";
import { deleteObject, putObject, readObject } from "./objects.ts";
import { findBucket, type S3World, type SimulatedBucket, type SimulatedKey } from "./state.ts";
import { abortUpload, beginUpload, completeUpload, listParts, listUploads, putPart } from "./uploads.ts";

type Caller = { key: SimulatedKey; region: string };

/** Path of a request, as errors name it. */
export const resourceOf = (request: IncomingMessage): string =>
  new URL(request.url ?? "/", "http://s3").pathname;

/** Executes a request with a valid signature. @throws S3Problem */
export function operate(world: S3World, request: IncomingMessage, body: Buffer, caller: Caller): S3Reply {
  const url = new URL(request.url ?? "/", "http://s3");
  const [, name = "", ...rest] = url.pathname.split("/").map(decodeURIComponent);
  const bucket = findBucket(world, name);
  if (!bucket)
    throw new S3Problem(404, "NoSuchBucket", "The specified bucket does not exist", bucketElement(name));
  requireRegion(world, bucket, caller);
  const key = rest.join("/");
  return key === ""
    ? onBucket(bucket, request, url, caller)
    : onObject(world, bucket, request, { key, url, body, caller });
}

function onBucket(bucket: SimulatedBucket, request: IncomingMessage, url: URL, caller: Caller): S3Reply {
  requireRight(caller, "list");
  if (request.method === "HEAD") return { status: 200, headers: { "x-amz-bucket-region": bucket.region } };
  if (request.method === "GET" && url.searchParams.has("uploads")) {
    return listUploads(bucket, url.searchParams.get("prefix") ?? "");
  }
  throw unknown(request);
}

function onObject(
  world: S3World,
  bucket: SimulatedBucket,
  request: IncomingMessage,
  { key, url, body, caller }: { key: string; url: URL; body: Buffer; caller: Caller },
): S3Reply {
  const uploadId = url.searchParams.get("uploadId");
  const type = request.headers["content-type"] ?? "binary/octet-stream";
  const order = { key, type, meta: metaOf(request) };
  switch (request.method) {
    case "PUT": {
      requireRight(caller, "write");
      const partNumber = Number(url.searchParams.get("partNumber"));
      if (uploadId !== null) return putPart(world, bucket, { key, uploadId, partNumber, body });
      return putObject(world, bucket, { ...order, body });
    }
    case "POST":
      requireRight(caller, "write");
      if (uploadId !== null)
        return completeUpload(world, bucket, { key, uploadId, body: body.toString("utf8") });
      if (url.searchParams.has("uploads")) return beginUpload(world, bucket, order);
      throw unknown(request);
    case "GET":
    case "HEAD": {
      requireRight(caller, "read");
      const marker = Number(url.searchParams.get("part-number-marker") ?? 0);
      if (uploadId !== null) return listParts(bucket, { key, uploadId, marker });
      // Without the right to list, S3 does not reveal whether an object exists.
      if (!bucket.objects[key]) requireRight(caller, "list");
      return readObject(world, bucket, key, request.method === "HEAD");
    }
    case "DELETE":
      if (uploadId !== null) {
        requireRight(caller, "write");
        return abortUpload(world, bucket, { key, uploadId });
      }
      requireRight(caller, "delete");
      return deleteObject(world, bucket, key);
    default:
      throw unknown(request);
  }
}

function requireRegion(world: S3World, bucket: SimulatedBucket, { region }: Caller): void {
  if (bucket.region === region) return;
  const headers = { "x-amz-bucket-region": bucket.region };
  if (world.settings.regionAnswer === "header-malformed") {
    const message = `The authorization header is malformed; the region '${region}' is wrong; expecting '${bucket.region}'`;
    throw new S3Problem(400, "AuthorizationHeaderMalformed", message, {
      headers,
      elements: { Region: bucket.region },
    });
  }
  const message = "The bucket you are attempting to access must be addressed using the specified endpoint.";
  const elements = { Endpoint: `${bucket.name}.s3.${bucket.region}.amazonaws.com`, Bucket: bucket.name };
  throw new S3Problem(301, "PermanentRedirect", message, { headers, elements });
}

function requireRight({ key }: Caller, right: SimulatedKey["may"][number]): void {
  if (!key.may.includes(right)) throw new S3Problem(403, "AccessDenied", "Access Denied");
}

function metaOf(request: IncomingMessage): Record<string, string> {
  const prefix = "x-amz-meta-";
  return Object.fromEntries(
    Object.entries(request.headers).flatMap(([name, value]) =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), String(value)]] : [],
    ),
  );
}

const bucketElement = (name: string) => ({ elements: { BucketName: name } });

const unknown = ({ method, url }: IncomingMessage) =>
  new S3Problem(501, "NotImplemented", `This S3 does not know ${method} ${url}`);
