import { listTables } from "./tables.ts";

/**
 * Refuses statements of the product that read a whole table: it may have a million times the rows of a test. SQLite tells
 * by the plan, which does not depend on values. Statements that a test asks itself may read what they like.
 */

/** Tables that may be read whole, with the reason. */
const READ_WHOLE: readonly RegExp[] = [
  // Queues: their rows are deleted when the work is done, or leave the index.
  /^(removed_connection|backup_request|billing_customer USING INDEX billing_customer_wanted)/,
  /^(subscription USING INDEX subscription_unfitted|ledger_move USING INDEX ledger_move_open)/,
  // Rows that expire within minutes, and go within a day or with the next one.
  /^(sign_in_challenge|authorisation|storage_authorisation)$/,
  // A row per ledger of the deployment.
  /^ledger_shard$/,
  // While the master key is replaced: any organisation's key may still be wrapped with the old one.
  /^organisation$/,
  // The check of the whole trail.
  /^audit_(entry USING COVERING INDEX audit_entry_organisation|waiting)$/,
];

/** Files between a database and what asks it: libraries, the product's own access to databases, and the tests' bindings. */
const BETWEEN = /node_modules|\/core\/database\/[\w-]+\.ts|\/tests\/(harness|bench)\/(?!.*\.test\.)/;
const FILE = /\/(?:core|app|workers|durable-objects|connectors|tests)\/[\w./-]+\.tsx?/;

type Asked = { database: D1Database; by: string };
/** `own`: how often a test has asked a text itself. */
type State = { judged: Set<string>; own: Map<string, number>; asked: Map<string, Asked> };

/** Files share an isolate, and each may load this module again. */
const STATE = Symbol.for("holdfast.query-plans");
const isolate = globalThis as typeof globalThis & { [STATE]?: State };
isolate[STATE] ??= { judged: new Set(), own: new Map(), asked: new Map() };
const { judged, own, asked } = isolate[STATE];
/** A stack costs more than most statements. What tests have asked this often, such as to empty a table, is their own. */
const OFTEN = 5;

/** Remembers a statement of the product, to judge its plan at the end of the file. */
export function rememberStatement(database: D1Database, text: string): void {
  const times = own.get(text) ?? 0;
  if (judged.has(text) || times === OFTEN) return;
  const by = asker();
  if (by === null) {
    own.set(text, times + 1);
    return;
  }
  judged.add(text);
  asked.set(text, { database, by });
}

/** The file of the product that asks; null when a test does, or its harness for it. */
function asker(): string | null {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 60;
  const frames = (new Error().stack ?? "").split("\n");
  Error.stackTraceLimit = stackTraceLimit;
  const files = frames.flatMap((frame) => (BETWEEN.test(frame) ? [] : (FILE.exec(frame) ?? [])));
  return files[0] === undefined || /^\/tests\/|\.test\.tsx?$/.test(files[0]) ? null : files[0];
}

/** @throws Error naming the statements of the product since the last call that read a whole table */
export async function assertNoScans(): Promise<void> {
  const scans: string[] = [];
  for (const [text, { database, by }] of asked) {
    asked.delete(text);
    for (const scan of await scansOf(database, text))
      if (!READ_WHOLE.some((allowed) => allowed.test(scan)))
        scans.push(`${by} reads all of ${scan}: ${text.replace(/\s+/g, " ")}`);
  }
  if (scans.length > 0) throw new Error(scans.join("\n"));
}

/** The steps of SQLite's plan for a statement. */
export async function planOf(database: D1Database, text: string): Promise<string[]> {
  const numbers = [...text.matchAll(/\?(\d*)/g)].map(([, number], at) => Number(number || at + 1));
  const values = Array.from({ length: Math.max(0, ...numbers) }, () => 1);
  const plan = database.prepare(`EXPLAIN QUERY PLAN ${text}`).bind(...values);
  return (await plan.all<{ detail: string }>()).results.map(({ detail }) => detail);
}

/** The tables that a statement reads whole, each followed by the index that it walks, if any. */
async function scansOf(database: D1Database, text: string): Promise<string[]> {
  const steps = await planOf(database, text);
  const tables = (await listTables(database)).join("|");
  return steps.flatMap((detail) => {
    const [, name, index = ""] = /^SCAN (\w+)(?! VIRTUAL)( USING .*)?/.exec(detail) ?? [];
    if (name === undefined) return [];
    // A plan has the alias where there is one. What is neither is a part of the statement itself.
    const table = new RegExp(`^(?:${tables})$`).test(name)
      ? name
      : new RegExp(`\\b(${tables})"? (?:AS )?"?${name}\\b`).exec(text.replace(/\s+/g, " "))?.[1];
    return table === undefined ? [] : [table + index];
  });
}
