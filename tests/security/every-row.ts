import { env } from "cloudflare:workers";
import { REGIONS } from "#core/kernel/platform-id.ts";

/** What a try may write: that a session was used, and that somebody tried. */
const MAY_CHANGE = new Set(["session", "verification"]);

/** Every row of every database, as one digest by table. */
export async function everyRow(): Promise<Record<string, string>> {
  const digests: Record<string, string> = {};
  const databases = {
    DB: env.DB,
    ...Object.fromEntries(REGIONS.map((region) => [region, env[`LEDGER_${region}`]])),
  };
  for (const [database, d1] of Object.entries(databases)) {
    const tables = await d1
      .prepare(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\' AND name NOT LIKE 'sqlite%' AND name NOT LIKE '%migrations'",
      )
      .all<{ name: string }>();
    const names = tables.results.map(({ name }) => name).filter((name) => !MAY_CHANGE.has(name));
    const answers = await d1.batch(names.map((name) => d1.prepare(`SELECT * FROM "${name}" ORDER BY rowid`)));
    for (const [i, { results }] of answers.entries()) {
      digests[`${database}.${names[i]}`] =
        `${results.length} ${JSON.stringify(results).length} ${hash(JSON.stringify(results))}`;
    }
  }
  return digests;
}

/** FNV-1a: enough to see that something changed. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return value;
}
