import { bytesOf, LIMITS, type PlatformLimits } from "./platform-limits.ts";
import { rememberStatement } from "./query-plans.ts";

/** Bindings that enforce the platform's limits. Other wrappers, e.g. a life, go around these. */

/** Overrides some members of a binding. */
function overlay<T extends object>(target: T, members: Partial<Record<keyof T, unknown>>): T {
  return new Proxy(target, {
    get: (_, name) => {
      if (Object.hasOwn(members, name)) return members[name as keyof T];
      const value = Reflect.get(target, name, target) as unknown;
      return typeof value === "function" && name !== "constructor" ? value.bind(target) : value;
    },
  });
}

type Asked = { statement: D1PreparedStatement; text: string; values: readonly unknown[] };

/**
 * A D1 database. Rejects a statement that is too large when it is sent, and a row that is too large when it is read.
 */
export function limitedDatabase(database: D1Database, limits: PlatformLimits): D1Database {
  const known = new WeakMap<object, Asked>();
  const check = ({ text, values }: Asked) => {
    limits.onStatement(text);
    rememberStatement(database, text);
    limits.hold("bytes of a statement", bytesOf(text), LIMITS.statementBytes, text);
    limits.hold("parameters of a statement", values.length, LIMITS.parameters, text);
    for (const value of values) limits.hold("bytes of a bound value", sizeOf(value), LIMITS.valueBytes, text);
  };
  const ask = <T>(asked: Asked, act: () => Promise<T>) =>
    limits.call(
      "database",
      asked.text,
      async () => {
        check(asked);
        return holdRows(limits, asked.text, await act());
      },
      1,
    );
  const wrap = (asked: Asked): D1PreparedStatement => {
    const { statement } = asked;
    const wrapped = overlay(statement, {
      bind: (...values: unknown[]) => wrap({ ...asked, statement: statement.bind(...values), values }),
      first: (...column: [string]) => ask(asked, () => statement.first(...column)),
      run: () => ask(asked, () => statement.run()),
      all: () => ask(asked, () => statement.all()),
      raw: (options: { columnNames: true }) => ask(asked, () => statement.raw(options)),
    });
    known.set(wrapped, asked);
    return wrapped;
  };
  return overlay(database, {
    withSession: (...start: [string]) =>
      limitedDatabase(database.withSession(...start) as unknown as D1Database, limits),
    prepare: (text: string) => wrap({ statement: database.prepare(text), text, values: [] }),
    batch: (statements: D1PreparedStatement[]) => {
      const asked = statements.map((statement) => known.get(statement)!);
      const name = `batch of ${asked.length}: ${asked[0]?.text}`;
      return limits.call(
        "database",
        name,
        async () => {
          for (const one of asked) check(one);
          const answers = await database.batch(asked.map(({ statement }) => statement));
          for (const [at, answer] of answers.entries()) holdRows(limits, asked[at]!.text, answer);
          return answers;
        },
        asked.length,
      );
    },
  });
}

function holdRows<T>(limits: PlatformLimits, text: string, answer: T): T {
  const rows =
    (answer as { results?: unknown[] } | null)?.results ?? (Array.isArray(answer) ? answer : [answer]);
  for (const row of rows) limits.hold("bytes of a row", rowSize(row), LIMITS.valueBytes, text);
  return answer;
}

const rowSize = (row: unknown): number =>
  typeof row === "object" && row !== null && !isBlob(row)
    ? Object.values(row).reduce<number>((sum, value) => sum + sizeOf(value), 0)
    : sizeOf(row);

/** Bytes of a value as SQLite stores it. Numbers count as 8. */
function sizeOf(value: unknown): number {
  if (typeof value === "string") return value.length * 3 < 1_000 ? value.length : bytesOf(value);
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return value.byteLength;
  // D1 returns BLOBs as arrays of numbers.
  return Array.isArray(value) ? value.length : 8;
}

const isBlob = (value: object) =>
  value instanceof ArrayBuffer ||
  ArrayBuffer.isView(value) ||
  (Array.isArray(value) && value.every((byte) => typeof byte === "number"));

/** An R2 bucket. */
export function limitedBucket(bucket: R2Bucket, limits: PlatformLimits): R2Bucket {
  const call = <T>(
    name: string,
    key: string,
    act: () => Promise<T>,
    options?: R2PutOptions | R2MultipartOptions,
  ) =>
    limits.call("bucket", `${name} ${key}`, async () => {
      const metadata = Object.entries(options?.customMetadata ?? {})
        .flat()
        .join("");
      limits.hold("bytes of a key", bytesOf(key), LIMITS.keyBytes, key);
      limits.hold("bytes of an object's metadata", bytesOf(metadata), LIMITS.metadataBytes, key);
      return act();
    });
  const upload = (begun: R2MultipartUpload): R2MultipartUpload =>
    overlay(begun, {
      uploadPart: (number: number, bytes: Uint8Array, options?: R2UploadPartOptions) =>
        call("part", begun.key, () => begun.uploadPart(number, bytes, options)),
      complete: (parts: R2UploadedPart[]) => call("complete", begun.key, () => begun.complete(parts)),
      abort: () => call("abort", begun.key, () => begun.abort()),
    });
  return overlay(bucket, {
    head: (key: string) => call("head", key, () => bucket.head(key)),
    get: (key: string, options?: R2GetOptions) => call("get", key, () => bucket.get(key, options)),
    list: (options?: R2ListOptions) => call("list", options?.prefix ?? "", () => bucket.list(options)),
    put: (key: string, value: Uint8Array, options?: R2PutOptions) =>
      call("put", key, () => bucket.put(key, value, options), options),
    delete: (keys: string | string[]) => {
      const all = typeof keys === "string" ? [keys] : keys;
      return call("delete", all[0] ?? "", async () => {
        limits.hold("objects deleted at once", all.length, LIMITS.deletedKeys, all[0] ?? "");
        return bucket.delete(keys);
      });
    },
    createMultipartUpload: async (key: string, options?: R2MultipartOptions) =>
      upload(await call("begin upload", key, () => bucket.createMultipartUpload(key, options), options)),
    resumeMultipartUpload: (key: string, id: string) => upload(bucket.resumeMultipartUpload(key, id)),
  });
}

/** The producer of a queue. */
export function limitedQueue(queue: Queue, limits: PlatformLimits): Queue {
  return overlay(queue, {
    send: (body: unknown, options?: QueueSendOptions) =>
      limits.call("queue", "send", async () => {
        limits.messages([body], options?.delaySeconds);
        return queue.send(body, options);
      }),
    sendBatch: (messages: Iterable<MessageSendRequest>, options?: QueueSendBatchOptions) =>
      limits.call("queue", "send batch", async () => {
        const all = [...messages];
        const delays = all.map(({ delaySeconds = 0 }) => delaySeconds);
        limits.messages(
          all.map(({ body }) => body),
          Math.max(options?.delaySeconds ?? 0, ...delays),
        );
        return queue.sendBatch(all, options);
      }),
  });
}

/** Durable Objects: each call is a sub-request of the calling invocation. A test gets the object unwrapped. */
export function limitedObjects<T extends Rpc.DurableObjectBranded | undefined>(
  namespace: DurableObjectNamespace<T>,
  limits: PlatformLimits,
): DurableObjectNamespace<T> {
  const limitedStub = (stub: DurableObjectStub<T>) => {
    if (!limits.isInvoked()) return stub;
    return new Proxy(stub, {
      get: (_, name) => {
        const value = Reflect.get(stub, name, stub) as unknown;
        if (typeof value !== "function" || typeof name === "symbol") return value;
        return (...values: unknown[]) =>
          limits.call("object", name, async () => Reflect.apply(value, stub, values) as unknown);
      },
    });
  };
  return overlay(namespace, {
    get: (...values: Parameters<typeof namespace.get>) => limitedStub(namespace.get(...values)),
    getByName: (...values: Parameters<typeof namespace.getByName>) =>
      limitedStub(namespace.getByName(...values)),
  });
}

/** `fetch` of the runtime. */
export const limitedFetch =
  (real: typeof fetch, limits: PlatformLimits): typeof fetch =>
  (input: RequestInfo | URL, init?: RequestInit) => {
    const address = input instanceof Request ? input.url : String(input);
    return limits.call("fetch", address, async () => {
      limits.hold("bytes of an address", bytesOf(address), LIMITS.addressBytes, address);
      return real(input, init);
    });
  };
