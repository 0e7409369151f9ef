import { env } from "cloudflare:workers";
import { REGIONS } from "#core/kernel/platform-id.ts";
import { listTables } from "#tests/harness/tables.ts";

/** Tables that a try may change: the use of a session, and the count of attempts. */
const MAY_CHANGE = new Set(["session", "verification"]);

/** One digest of all rows per table, for every database. */
export async function everyRow(): Promise<Record<string, string>> {
  const databases = {
    DB: env.DB,
    ...Object.fromEntries(REGIONS.map((region) => [region, env[`LEDGER_${region}`]])),
  };
  const digests = await Promise.all(
    Object.entries(databases).map(async ([database, d1]) => {
      const names = (await listTables(d1)).filter((name) => !MAY_CHANGE.has(name));
      const answers = await d1.batch(names.map((name) => d1.prepare(`SELECT * FROM "${name}"`)));
      return answers.map(({ results }, i) => [`${database}.${names[i]}`, digestOf(results)] as const);
    }),
  );
  return Object.fromEntries(digests.flat());
}

/** Sorted here: not every table has row ids. */
function digestOf(rows: readonly unknown[]): string {
  const text = JSON.stringify(rows.map((row) => JSON.stringify(row)).sort());
  return `${rows.length} ${text.length} ${hash(text)}`;
}

/** FNV-1a, which suffices to notice a change. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return value;
}
