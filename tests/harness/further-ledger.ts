import { env } from "cloudflare:workers";
import { quickDatabase } from "./databases/quick-database.ts";
import { heldLimits } from "./held-limits.ts";
import { limitedDatabase } from "./limited-bindings.ts";

/** An empty ledger beside those of `wrangler.toml`, for tests that bind several to a region. */
export async function furtherLedger(): Promise<D1Database> {
  const name = `further ${crypto.randomUUID()}`;
  const database = quickDatabase(() => env.DATABASES.getByName(name));
  for (const { queries } of env.LEDGER_MIGRATIONS)
    await database.batch(queries.map((text) => database.prepare(text)));
  return limitedDatabase(database, heldLimits);
}
