import { createHash, randomUUID } from "node:crypto";
import { S3Problem, type S3Reply, XML, xml } from "./answer.ts";
import { dropBytes, keepBytes, readBytes, setObject } from "./objects.ts";
import type { S3World, SimulatedBucket, SimulatedUpload } from "./state.ts";

const MOST_PARTS = 10_000;
const PAGE = 1_000;

export function beginUpload(
  world: S3World,
  bucket: SimulatedBucket,
  order: { key: string; type: string; meta: Record<string, string> },
): S3Reply {
  const upload = { ...order, id: randomUUID().replaceAll("-", ""), begunAt: Date.now(), parts: {} };
  bucket.uploads.push(upload);
  world.save();
  const members = [
    ["Bucket", bucket.name],
    ["Key", order.key],
    ["UploadId", upload.id],
  ] as const;
  return { status: 200, headers: XML, body: xml("InitiateMultipartUploadResult", members) };
}

export function putPart(
  world: S3World,
  bucket: SimulatedBucket,
  order: { key: string; uploadId: string; partNumber: number; body: Buffer },
): S3Reply {
  const upload = requireUpload(bucket, order);
  if (!(order.partNumber >= 1 && order.partNumber <= MOST_PARTS)) {
    const message = "Part number must be an integer between 1 and 10000, inclusive";
    throw new S3Problem(400, "InvalidArgument", message);
  }
  const { file, md5 } = keepBytes(world, bucket, order.body);
  const former = upload.parts[order.partNumber];
  if (former) dropBytes(world, former);
  const etag = `"${md5}"`;
  upload.parts[order.partNumber] = { file, size: order.body.length, etag, at: Date.now() };
  world.save();
  return { status: 200, headers: { etag } };
}

export function listParts(
  bucket: SimulatedBucket,
  order: { key: string; uploadId: string; marker: number },
): S3Reply {
  const upload = requireUpload(bucket, order);
  const behind = sortedParts(upload).filter(({ number }) => number > order.marker);
  const page = behind.slice(0, PAGE);
  const members = [
    ["Bucket", bucket.name],
    ["Key", order.key],
    ["UploadId", upload.id],
    ["PartNumberMarker", order.marker],
    ["NextPartNumberMarker", page.at(-1)?.number ?? 0],
    ["MaxParts", PAGE],
    ["IsTruncated", page.length < behind.length],
    ...page.map(
      ({ number, etag, size, at }) =>
        [
          "Part",
          [
            ["PartNumber", number],
            ["LastModified", new Date(at).toISOString()],
            ["ETag", etag],
            ["Size", size],
          ],
        ] as const,
    ),
    ["StorageClass", "STANDARD"],
  ] as const;
  return { status: 200, headers: XML, body: xml("ListPartsResult", members) };
}

export function completeUpload(
  world: S3World,
  bucket: SimulatedBucket,
  order: { key: string; uploadId: string; body: string },
): S3Reply {
  const upload = requireUpload(bucket, order);
  const named = [...order.body.matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, part = ""]) => ({
    number: Number(/<PartNumber>([0-9]+)<\/PartNumber>/.exec(part)?.[1]),
    etag: /<ETag>([^<]*)<\/ETag>/.exec(part)?.[1]?.replaceAll("&quot;", '"') ?? "",
  }));
  if (named.length === 0)
    throw new S3Problem(400, "MalformedXML", "The XML you provided was not well-formed.");
  const parts = named.map(({ number, etag }, index) => {
    const part = upload.parts[number];
    if (!part || part.etag.replaceAll('"', "") !== etag.replaceAll('"', "")) {
      throw new S3Problem(400, "InvalidPart", "One or more of the specified parts could not be found.");
    }
    if (index > 0 && number <= named[index - 1]!.number) {
      throw new S3Problem(400, "InvalidPartOrder", "The list of parts was not in ascending order.");
    }
    if (index < named.length - 1 && part.size < world.settings.minPartBytes) {
      throw new S3Problem(
        400,
        "EntityTooSmall",
        "Your proposed upload is smaller than the minimum allowed size",
      );
    }
    return part;
  });
  const bytes = Buffer.concat(parts.map((part) => readBytes(world, part)));
  endUpload(world, bucket, upload);
  const hashes = Buffer.concat(parts.map(({ etag }) => Buffer.from(etag.replaceAll('"', ""), "hex")));
  const etag = `"${createHash("md5").update(hashes).digest("hex")}-${parts.length}"`;
  const { file } = keepBytes(world, bucket, bytes);
  const { type, meta } = upload;
  setObject(world, bucket, order.key, { file, size: bytes.length, etag, type, meta, modifiedAt: Date.now() });
  const location = `https://${bucket.name}.s3.${bucket.region}.amazonaws.com/${order.key}`;
  const members = [
    ["Location", location],
    ["Bucket", bucket.name],
    ["Key", order.key],
    ["ETag", etag],
  ] as const;
  return { status: 200, headers: XML, body: xml("CompleteMultipartUploadResult", members) };
}

export function abortUpload(
  world: S3World,
  bucket: SimulatedBucket,
  order: { key: string; uploadId: string },
): S3Reply {
  endUpload(world, bucket, requireUpload(bucket, order));
  return { status: 204 };
}

export function listUploads(bucket: SimulatedBucket, prefix: string): S3Reply {
  const members = [
    ["Bucket", bucket.name],
    ["KeyMarker", ""],
    ["UploadIdMarker", ""],
    ["Prefix", prefix],
    ["MaxUploads", PAGE],
    ["IsTruncated", false],
    ...bucket.uploads
      .filter(({ key }) => key.startsWith(prefix))
      .map(
        ({ id, key, begunAt }) =>
          [
            "Upload",
            [
              ["Key", key],
              ["UploadId", id],
              ["StorageClass", "STANDARD"],
              ["Initiated", new Date(begunAt).toISOString()],
            ],
          ] as const,
      ),
  ] as const;
  return { status: 200, headers: XML, body: xml("ListMultipartUploadsResult", members) };
}

function endUpload(world: S3World, bucket: SimulatedBucket, upload: SimulatedUpload): void {
  for (const part of Object.values(upload.parts)) dropBytes(world, part);
  bucket.uploads = bucket.uploads.filter((each) => each !== upload);
  world.save();
}

function requireUpload(bucket: SimulatedBucket, order: { key: string; uploadId: string }): SimulatedUpload {
  const found = bucket.uploads.find(({ id, key }) => id === order.uploadId && key === order.key);
  if (!found) {
    const message =
      "The specified upload does not exist. The upload ID may be invalid, or the upload may have been aborted.";
    throw new S3Problem(404, "NoSuchUpload", message);
  }
  return found;
}

function sortedParts(upload: SimulatedUpload) {
  return Object.entries(upload.parts)
    .map(([number, part]) => ({ number: Number(number), ...part }))
    .sort((a, b) => a.number - b.number);
}
