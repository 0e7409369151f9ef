import type { Life } from "./effects.ts";

/** Real bindings wrapped in a life: each write is an effect, and a dead isolate neither reads nor writes. */

const READS = /^\s*(select|pragma|explain)\b/i;
const shortly = (text: string) => text.replace(/\s+/g, " ").trim().slice(0, 60);

/** A D1 database wrapped in a life. A batch is one effect. */
export function mortalDatabase(database: D1Database, kind: "ledger" | "control", life: Life): D1Database {
  const real = new WeakMap<object, { statement: D1PreparedStatement; text: string }>();
  const run = <T>(text: string, act: () => Promise<T>) =>
    READS.test(text) ? life.look(act) : life.perform({ kind, name: shortly(text) }, act);
  const wrap = (statement: D1PreparedStatement, text: string): D1PreparedStatement => {
    const wrapped = {
      bind: (...values: unknown[]) => wrap(statement.bind(...values), text),
      first: (...column: [string]) => run(text, () => statement.first(...column)),
      run: () => run(text, () => statement.run()),
      all: () => run(text, () => statement.all()),
      raw: (options: { columnNames: true }) => run(text, () => statement.raw(options)),
    } as unknown as D1PreparedStatement;
    real.set(wrapped, { statement, text });
    return wrapped;
  };
  return {
    prepare: (text: string) => wrap(database.prepare(text), text),
    batch: (statements: D1PreparedStatement[]) => {
      const known = statements.map((statement) => real.get(statement)!);
      const act = () => database.batch(known.map(({ statement }) => statement));
      const texts = known.map(({ text }) => text);
      if (texts.every((text) => READS.test(text))) return life.look(act);
      return life.perform({ kind, name: `batch of ${texts.length}: ${shortly(texts[0] ?? "")}` }, act);
    },
  } as unknown as D1Database;
}

/** An R2 bucket wrapped in a life. */
export function mortalBucket(bucket: R2Bucket, life: Life): R2Bucket {
  const effect = (name: string) => ({ kind: "bucket" as const, name });
  return {
    head: (key: string) => life.look(() => bucket.head(key)),
    get: (key: string, options?: R2GetOptions) => life.look(() => bucket.get(key, options)),
    list: (options?: R2ListOptions) => life.look(() => bucket.list(options)),
    put: (key: string, value: Uint8Array, options?: R2PutOptions) =>
      life.perform(effect("put"), () => bucket.put(key, value, options)),
    delete: (keys: string | string[]) => life.perform(effect("delete"), () => bucket.delete(keys)),
    createMultipartUpload: async (key: string) => {
      const upload = await life.perform(effect("begin upload"), () => bucket.createMultipartUpload(key));
      return {
        key,
        uploadId: upload.uploadId,
        uploadPart: (number: number, bytes: Uint8Array) =>
          life.perform(effect("part"), () => upload.uploadPart(number, bytes)),
        complete: (parts: R2UploadedPart[]) => life.perform(effect("complete"), () => upload.complete(parts)),
        abort: () => life.perform(effect("abort"), () => upload.abort()),
      };
    },
  } as unknown as R2Bucket;
}
