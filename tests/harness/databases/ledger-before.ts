import { env } from "cloudflare:workers";
import { quickDatabase } from "./quick-database.ts";

/** A ledger as it was before this migration. `migrate` applies it and the later ones. */
export async function ledgerBefore(
  name: string,
): Promise<{ database: D1Database; migrate: () => Promise<unknown> }> {
  const database = quickDatabase(() => env.DATABASES.getByName(`before ${name}`));
  const at = env.LEDGER_MIGRATIONS.findIndex((migration) => migration.name.startsWith(name));
  const run = (queries: readonly string[]) => database.batch(queries.map((text) => database.prepare(text)));
  for (const { queries } of env.LEDGER_MIGRATIONS.slice(0, at)) await run(queries);
  return {
    database,
    migrate: async () => {
      for (const { queries } of env.LEDGER_MIGRATIONS.slice(at)) await run(queries);
    },
  };
}
