import { createHash } from "node:crypto";
import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { Bucket, BucketObject } from "#core/vault/index.ts";

/** A bucket whose objects are files of a folder, so that stores are compared on the same disk. */
export function folderBucket(folder: string): Bucket {
  const pathOf = (key: string) => join(folder, key);
  const write = (key: string, bytes: Uint8Array): BucketObject => {
    mkdirSync(dirname(pathOf(key)), { recursive: true });
    writeFileSync(pathOf(key), bytes);
    return { size: bytes.length, etag: createHash("md5").update(bytes).digest("hex") };
  };
  return {
    async head(key) {
      const found = statSync(pathOf(key), { throwIfNoEntry: false });
      return found ? { size: found.size, etag: "" } : null;
    },
    async get(key, options) {
      if (!statSync(pathOf(key), { throwIfNoEntry: false })) return null;
      const file = openSync(pathOf(key), "r");
      const { size } = fstatSync(file);
      const { offset, length } = options?.range ?? { offset: 0, length: size };
      const bytes = new Uint8Array(length);
      readSync(file, bytes, 0, length, offset);
      closeSync(file);
      return { size, etag: "", body: new Blob([bytes]).stream() as ReadableStream };
    },
    put: async (key, bytes) => write(key, bytes),
    async delete(keys) {
      for (const key of [keys].flat()) rmSync(pathOf(key), { force: true });
    },
    async createMultipartUpload(key) {
      const parts = new Map<number, Uint8Array>();
      return {
        async uploadPart(partNumber, bytes) {
          parts.set(partNumber, bytes.slice());
          return { partNumber, etag: String(partNumber) };
        },
        complete: async (uploaded) =>
          write(key, Buffer.concat(uploaded.map(({ partNumber }) => parts.get(partNumber)!))),
        abort: async () => parts.clear(),
      };
    },
  };
}
