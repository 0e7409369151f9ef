/**
 * Runs before every test file in workerd. Files share one isolate and its bindings, since loading the product for each
 * file took longer than most of them. So each file begins with empty databases and buckets. Every binding enforces the
 * platform's limits: a test that exceeds one fails, even when the product catches the error.
 */

import { env } from "cloudflare:workers";
import type { D1Migration } from "@cloudflare/vitest-plugin";
import { afterAll, afterEach } from "vitest";
import { configureLogging } from "#workers/logging.ts";
import { replaceDatabases } from "./databases/replace-databases.ts";
import { emptyEverything } from "./empty-bindings.ts";
import { assertWithinLimits, holdLimits } from "./held-limits.ts";
import { ledgerBindings } from "./ledger-bindings.ts";
import { assertNoScans } from "./query-plans.ts";
import { assertSmallRows } from "./row-sizes.ts";

// An earlier file may have silenced the log.
configureLogging();

/** Databases live as long as the isolate, so its first file migrates them for all. */
const MIGRATED = Symbol.for("holdfast.migrated");
const isolate = globalThis as typeof globalThis & { [MIGRATED]?: true };
if (!isolate[MIGRATED]) {
  replaceDatabases();
  const ledgers = ledgerBindings().map((ledger) => migrate(ledger, env.LEDGER_MIGRATIONS));
  await Promise.all([migrate(env.DB, env.CONTROL_MIGRATIONS), ...ledgers]);
  isolate[MIGRATED] = true;
}
await emptyEverything();

holdLimits();
afterEach(assertWithinLimits);
afterAll(async () => {
  assertWithinLimits();
  await assertNoScans();
  await assertSmallRows();
});

async function migrate(database: D1Database, migrations: readonly D1Migration[]): Promise<void> {
  for (const { queries } of migrations) await database.batch(queries.map((text) => database.prepare(text)));
}
