/**
 * Bindings that count the product's calls. D1 itself reports the rows that each statement read and wrote, which is what
 * it bills.
 */
export type Counts = {
  rowsRead: number;
  rowsWritten: number;
  statements: number;
  bucketReads: number;
  bucketWrites: number;
  bucketDeletes: number;
  /** Calls of Durable Objects. */
  objectCalls: number;
  bytesStored: number;
  requests: number;
  /** The requests for git or for the repository itself. The others read the platform's other data. */
  coreRequests: number;
};

/** All counts at zero. */
export function noCounts(): Counts {
  return {
    rowsRead: 0,
    rowsWritten: 0,
    statements: 0,
    bucketReads: 0,
    bucketWrites: 0,
    bucketDeletes: 0,
    objectCalls: 0,
    bytesStored: 0,
    requests: 0,
    coreRequests: 0,
  };
}

type Answer = { results?: unknown[]; meta: { rows_read?: number; rows_written?: number } };
const PLAIN = Symbol("the statement behind its counting one");

/** A database that adds the cost of each statement to `counts`. */
export function countingDatabase(database: D1Database, counts: Counts): D1Database {
  const note = <T extends Answer>(answer: T): T => {
    counts.statements += 1;
    counts.rowsRead += answer.meta.rows_read ?? 0;
    counts.rowsWritten += answer.meta.rows_written ?? 0;
    return answer;
  };
  const wrap = (plain: D1PreparedStatement): D1PreparedStatement => {
    const counting = {
      [PLAIN]: plain,
      bind: (...values: unknown[]) => wrap(plain.bind(...values)),
      all: async () => note(await plain.all()),
      run: async () => note(await plain.run()),
      first: async (column?: string) => {
        const row = note(await plain.all<Record<string, unknown>>()).results[0];
        return row === undefined ? null : column === undefined ? row : row[column];
      },
      // `raw` does not report its cost, but `all` does. None of our statements returns a column name twice.
      raw: async () =>
        note(await plain.all<Record<string, unknown>>()).results.map((row) => Object.values(row)),
    };
    return counting as unknown as D1PreparedStatement;
  };
  const plainOf = (statement: D1PreparedStatement) =>
    (statement as unknown as { [PLAIN]?: D1PreparedStatement })[PLAIN] ?? statement;
  const counting = {
    prepare: (text: string) => wrap(database.prepare(text)),
    batch: async (statements: D1PreparedStatement[]) =>
      (await database.batch(statements.map(plainOf))).map((answer) => note(answer)),
  };
  return counting as unknown as D1Database;
}

/** A bucket that counts calls and written bytes. */
export function countingBucket(bucket: R2Bucket, counts: Counts): R2Bucket {
  const wrote = (bytes: number) => {
    counts.bucketWrites += 1;
    counts.bytesStored += bytes;
  };
  const counting = {
    head: (key: string) => {
      counts.bucketReads += 1;
      return bucket.head(key);
    },
    get: (key: string, options?: R2GetOptions) => {
      counts.bucketReads += 1;
      return bucket.get(key, options);
    },
    put: (key: string, bytes: Uint8Array) => {
      wrote(bytes.length);
      return bucket.put(key, bytes);
    },
    delete: (key: string | string[]) => {
      counts.bucketDeletes += 1;
      return bucket.delete(key);
    },
    createMultipartUpload: async (key: string) => {
      counts.bucketWrites += 1;
      const upload = await bucket.createMultipartUpload(key);
      return {
        uploadPart: (partNumber: number, bytes: Uint8Array) => {
          wrote(bytes.length);
          return upload.uploadPart(partNumber, bytes);
        },
        complete: (parts: R2UploadedPart[]) => {
          counts.bucketWrites += 1;
          return upload.complete(parts);
        },
        abort: () => upload.abort(),
      };
    },
  };
  return counting as unknown as R2Bucket;
}

/** Durable Objects that count the calls of their methods. */
export function countingObjects<T extends Rpc.DurableObjectBranded | undefined>(
  namespace: DurableObjectNamespace<T>,
  counts: Counts,
): DurableObjectNamespace<T> {
  const wrap = (stub: object) =>
    new Proxy(stub, {
      get: (target, name) => {
        const method = Reflect.get(target, name) as (...values: unknown[]) => unknown;
        if (name === "then") return undefined;
        return (...values: unknown[]) => {
          counts.objectCalls += 1;
          return Reflect.apply(method, target, values);
        };
      },
    });
  const getByName = (...values: Parameters<DurableObjectNamespace<T>["getByName"]>) =>
    wrap(namespace.getByName(...values));
  return { getByName } as unknown as DurableObjectNamespace<T>;
}
