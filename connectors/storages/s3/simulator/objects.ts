import { createHash } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { S3Problem, type S3Reply } from "./answer.ts";
import type { S3World, SimulatedBucket, SimulatedObject } from "./state.ts";

/** Writes bytes to a new file and returns its name and MD5. */
export function keepBytes(
  world: S3World,
  bucket: SimulatedBucket,
  body: Buffer,
): { file: string; md5: string } {
  const { capacityBytes } = world.settings;
  if (capacityBytes !== null && usedBytes(bucket) + body.length > capacityBytes) {
    throw new S3Problem(507, "QuotaExceeded", "The bucket quota has been exceeded.");
  }
  world.state.files += 1;
  const file = `object-${world.state.files}`;
  writeFileSync(path.join(world.directory, file), body);
  return { file, md5: createHash("md5").update(body).digest("hex") };
}

/** Bytes of a stored file. */
export function readBytes(world: S3World, { file }: { file: string }): Buffer {
  return readFileSync(path.join(world.directory, file));
}

/** Deletes the bytes of a file. */
export function dropBytes(world: S3World, { file }: { file: string }): void {
  rmSync(path.join(world.directory, file), { force: true });
}

export function putObject(
  world: S3World,
  bucket: SimulatedBucket,
  order: { key: string; body: Buffer; type: string; meta: Record<string, string> },
): S3Reply {
  const { file, md5 } = keepBytes(world, bucket, order.body);
  const etag = `"${md5}"`;
  setObject(world, bucket, order.key, {
    file,
    size: order.body.length,
    etag,
    type: order.type,
    meta: order.meta,
    modifiedAt: Date.now(),
  });
  return { status: 200, headers: { etag } };
}

/** Stores an object and deletes the one it replaces. */
export function setObject(
  world: S3World,
  bucket: SimulatedBucket,
  key: string,
  object: SimulatedObject,
): void {
  const former = bucket.objects[key];
  if (former) dropBytes(world, former);
  bucket.objects[key] = object;
  world.save();
}

export function readObject(world: S3World, bucket: SimulatedBucket, key: string, isHead: boolean): S3Reply {
  const object = bucket.objects[key];
  if (!object) throw new S3Problem(404, "NoSuchKey", "The specified key does not exist.");
  const meta = Object.entries(object.meta).map(([name, value]) => [`x-amz-meta-${name}`, value]);
  const headers = {
    ...Object.fromEntries(meta),
    "accept-ranges": "bytes",
    "content-length": String(object.size),
    "content-type": object.type,
    etag: object.etag,
    "last-modified": new Date(object.modifiedAt).toUTCString(),
  };
  return isHead ? { status: 200, headers } : { status: 200, headers, body: readBytes(world, object) };
}

export function deleteObject(world: S3World, bucket: SimulatedBucket, key: string): S3Reply {
  const object = bucket.objects[key];
  if (object) dropBytes(world, object);
  delete bucket.objects[key];
  world.save();
  return { status: 204 };
}

function usedBytes(bucket: SimulatedBucket): number {
  const objects = Object.values(bucket.objects).map(({ size }) => size);
  const parts = bucket.uploads.flatMap(({ parts }) => Object.values(parts).map(({ size }) => size));
  return [...objects, ...parts].reduce((sum, size) => sum + size, 0);
}
