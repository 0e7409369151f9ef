import { createHash } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import { DAY_MS, MINUTE_MS } from "#core/kernel/clock.ts";
import { utf8 } from "#core/kernel/crypto.ts";
import type { Uses } from "#core/services.ts";
import { listTables, readPage } from "./dumps.store.ts";
import type { DumpPiece } from "./read-dump.ts";
import { sealPiece } from "./seal-piece.ts";

/** Dumps are deleted after this time; the lock of their bucket (`npm run deploy`) holds them until then. */
const DUMP_LIFE_MS = 7 * DAY_MS;
/** Rows per piece, and pieces per message: 200 statements and 200 objects of an invocation's 1,000 and 10,000. */
const ROWS_PER_PIECE = 500;
const PIECES_PER_SLICE = 200;
/** A chain of messages that wrote nothing for this time was lost. */
const SILENCE_MS = 30 * MINUTE_MS;
const PREFIX = "control/";

/** Where the next message of a dump goes on. `previous`: the key of the last piece; null = none yet. */
export type DumpCursor = {
  date: string;
  table: string;
  after: number;
  previous: string | null;
  rows: number;
};

/** Every hour: deletes dumps that are too old, and begins the day's dump unless it is complete or under way. */
export async function queueDump(s: Uses<"clock" | "dumps" | "queue">): Promise<void> {
  if (s.dumps.publicKey === "") return;
  const now = s.clock.now();
  const date = new Date(now).toISOString().slice(0, 10);
  const found = await listPieces(s.dumps.bucket, PREFIX);
  const old = found.filter(({ uploaded }) => uploaded.getTime() <= now - DUMP_LIFE_MS).map(({ key }) => key);
  for (let at = 0; at < old.length; at += 1_000) await s.dumps.bucket.delete(old.slice(at, at + 1_000));
  const today = found.filter(({ key }) => key.startsWith(`${PREFIX}${date}/`));
  const isComplete = today.some(({ key }) => key.startsWith(`${PREFIX}${date}/index-`));
  const isUnderWay = today.some(({ uploaded }) => uploaded.getTime() > now - SILENCE_MS);
  if (isComplete || isUnderWay) return;
  const payload: DumpCursor = { date, table: "", after: 0, previous: null, rows: 0 };
  await s.queue.send([{ job: "dump-control", payload }]);
}

/**
 * One slice of a dump: pages of one table after the other, each its own encrypted object, then a message for the rest. A
 * piece names the one before by its hash, and the index, written last, names the last: without an index there is no dump, and
 * an index proves all its pieces. A repeated message begins a second chain beside the first, which no index has to follow.
 *
 * Each page shows its own moment, so rows of different tables may be minutes apart, and rows that were written in the
 * meantime may be missing. A row is never torn.
 */
export async function dumpControl(
  s: Uses<"clock" | "control" | "dumps" | "queue">,
  from: DumpCursor,
  pieces = PIECES_PER_SLICE,
): Promise<void> {
  const tables = await listTables(s.control);
  const cursor = { ...from };
  for (let count = 0; count < pieces; count++) {
    const table = tables.find((name) => name >= cursor.table);
    if (table === undefined) {
      await putPiece(s, "index", cursor, { kind: "index", tables, rows: cursor.rows });
      return;
    }
    if (table !== cursor.table) cursor.after = 0;
    const { rows, last } = await readPage(s.control, table, cursor.after, ROWS_PER_PIECE);
    if (rows.length > 0) cursor.previous = await putPiece(s, "piece", cursor, { kind: "rows", table, rows });
    cursor.rows += rows.length;
    cursor.after = last;
    // Sorts right behind the table's name.
    cursor.table = rows.length < ROWS_PER_PIECE ? `${table} ` : table;
  }
  await s.queue.send([{ job: "dump-control", payload: cursor }]);
}

async function putPiece(
  s: Uses<"clock" | "dumps">,
  name: "piece" | "index",
  { date, previous }: DumpCursor,
  content:
    | Omit<Extract<DumpPiece, { kind: "rows" }>, "previous" | "at">
    | Omit<Extract<DumpPiece, { kind: "index" }>, "previous" | "at">,
): Promise<string> {
  const text = JSON.stringify({ ...content, previous, at: s.clock.now() });
  const bytes = await sealPiece(s.dumps.publicKey, deflateRawSync(utf8(text)));
  const hash = createHash("sha256").update(bytes).digest("hex");
  const key = `${PREFIX}${date}/${name}-${hash}`;
  await s.dumps.bucket.put(key, bytes);
  return key;
}

async function listPieces(bucket: R2Bucket, prefix: string): Promise<R2Object[]> {
  const found: R2Object[] = [];
  for (let cursor: string | undefined; ; ) {
    const page: R2Objects = await bucket.list({ prefix, ...(cursor ? { cursor } : {}) });
    found.push(...page.objects);
    if (!page.truncated) return found;
    cursor = page.cursor;
  }
}
