import type { Bucket, BucketBody, BucketObject, UploadedPart } from "#core/vault/bucket.ts";
import { listObjects } from "./list-objects.ts";

const MIN_PART_BYTES = 5 * 1_048_576;

/** An R2 bucket in memory. Tests may change the bytes of `objects` to damage them. */
export type MemoryBucket = Omit<Bucket, "get" | "put"> & {
  get(
    key: string,
    options?: { range?: { offset: number; length: number } },
  ): Promise<(BucketBody & { text(): Promise<string> }) | null>;
  put(key: string, value: Uint8Array | string): Promise<BucketObject>;
  list(options?: R2ListOptions): Promise<R2Objects>;
  objects: Map<string, Uint8Array>;
  /** How often each operation was called. */
  calls: Record<
    "head" | "get" | "list" | "put" | "delete" | "createMultipartUpload" | "uploadPart" | "complete",
    number
  >;
  /** Uploads that were neither completed nor aborted. */
  openUploads(): number;
  /** Called before every operation. The operation fails with any error that it throws. */
  beforeEach: (operation: string, key: string) => void;
};

/**
 * An R2 bucket in memory with R2's rules: all parts but the last have equal sizes of at least 5 MiB, etags are checked
 * at completion, and a second completion fails with 10024. Bodies are byte streams in small pieces, as R2 sends them.
 */
export function memoryBucket(): MemoryBucket {
  const objects = new Map<string, Uint8Array>();
  /** When each object was stored, epoch ms. */
  const stored = new Map<string, number>();
  const calls = {
    ...{ head: 0, get: 0, list: 0, put: 0, delete: 0 },
    ...{ createMultipartUpload: 0, uploadPart: 0, complete: 0 },
  };
  const uploads = new Set<object>();
  let etags = 0;
  const factsOf = (bytes: Uint8Array): BucketObject => ({ size: bytes.length, etag: `etag-${etags++}` });
  const count = (operation: keyof typeof calls, key: string) => {
    calls[operation]++;
    bucket.beforeEach(operation, key);
  };
  const bucket: MemoryBucket = {
    objects,
    calls,
    openUploads: () => uploads.size,
    beforeEach: () => {},
    async head(key) {
      count("head", key);
      const bytes = objects.get(key);
      return bytes ? factsOf(bytes) : null;
    },
    async get(key, options) {
      count("get", key);
      const bytes = objects.get(key);
      if (!bytes) return null;
      const { offset, length } = options?.range ?? { offset: 0, length: bytes.length };
      if (offset >= bytes.length && bytes.length > 0) {
        throw new Error("get: The requested range is not satisfiable (10039)");
      }
      const part = bytes.slice(offset, offset + length);
      return { ...factsOf(bytes), body: byteStream(part), text: async () => Buffer.from(part).toString() };
    },
    async list(options) {
      count("list", options?.prefix ?? "");
      const held = [...objects].map(
        ([key, { length }]) => [key, { size: length, uploaded: stored.get(key) ?? 0 }] as const,
      );
      return listObjects(new Map(held), options);
    },
    async put(key, value) {
      count("put", key);
      const bytes = typeof value === "string" ? new TextEncoder().encode(value) : value.slice();
      objects.set(key, bytes);
      stored.set(key, Date.now());
      return factsOf(bytes);
    },
    async delete(keys) {
      for (const key of [keys].flat()) {
        count("delete", key);
        objects.delete(key);
        stored.delete(key);
      }
    },
    async createMultipartUpload(key) {
      count("createMultipartUpload", key);
      const upload = {};
      const parts = new Map<number, { etag: string; bytes: Uint8Array }>();
      uploads.add(upload);
      const assertOpen = () => {
        if (!uploads.has(upload)) throw new Error("The specified multipart upload does not exist. (10024)");
      };
      return {
        async uploadPart(partNumber, bytes): Promise<UploadedPart> {
          count("uploadPart", key);
          assertOpen();
          const etag = `part-${etags++}`;
          const copy = bytes.slice();
          // The caller must not change the bytes until the call ends.
          await new Promise((resolve) => setImmediate(resolve));
          if (Buffer.compare(copy, bytes) !== 0) throw new Error("part changed while uploading");
          parts.set(partNumber, { etag, bytes: copy });
          return { partNumber, etag };
        },
        async complete(list) {
          count("complete", key);
          assertOpen();
          const chosen = list.map(({ partNumber, etag }) => {
            const part = parts.get(partNumber);
            if (!part || part.etag !== etag) throw new Error("One or more parts could not be found. (10025)");
            return part.bytes;
          });
          for (const [i, part] of chosen.entries()) {
            const isLast = i === chosen.length - 1;
            if (!isLast && part.length < MIN_PART_BYTES)
              throw new Error("Your proposed upload is too small (10011)");
            if (isLast ? part.length > chosen[0]!.length : part.length !== chosen[0]!.length) {
              throw new Error("All non-trailing parts must have the same length. (10048)");
            }
          }
          uploads.delete(upload);
          const whole = new Uint8Array(chosen.reduce((sum, part) => sum + part.length, 0));
          let offset = 0;
          for (const part of chosen) {
            whole.set(part, offset);
            offset += part.length;
          }
          objects.set(key, whole);
          stored.set(key, Date.now());
          return factsOf(whole);
        },
        async abort() {
          assertOpen();
          uploads.delete(upload);
        },
      };
    },
  };
  return bucket;
}

/** A byte stream in pieces of 64 KiB. */
function byteStream(bytes: Uint8Array): ReadableStream {
  let offset = 0;
  return new ReadableStream({
    type: "bytes",
    pull(controller) {
      if (offset >= bytes.length) {
        controller.close();
        (controller as ReadableByteStreamController).byobRequest?.respond(0);
        return;
      }
      controller.enqueue(bytes.slice(offset, offset + 65_536));
      offset += 65_536;
    },
  });
}
