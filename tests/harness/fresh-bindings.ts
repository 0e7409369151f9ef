/**
 * Runs before every file of tests in workerd. Files share one isolate and its bindings, since loading the product anew
 * for each took longer than most of them; so each begins with empty databases and buckets. Every binding holds the
 * platform's limits; whoever goes beyond one fails, even where the product caught the refusal.
 */
import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, afterEach } from "vitest";
import { REGIONS } from "#core/kernel/platform-id.ts";
import { configureLogging } from "#workers/logging.ts";
import { emptyEverything } from "./empty-bindings.ts";
import { assertWithinLimits, holdLimits } from "./held-limits.ts";
import { assertSmallRows } from "./row-sizes.ts";

// A file before may have silenced the log.
configureLogging();

await applyD1Migrations(env.DB, env.CONTROL_MIGRATIONS);
for (const region of REGIONS) await applyD1Migrations(env[`LEDGER_${region}`], env.LEDGER_MIGRATIONS);
await emptyEverything();

holdLimits();
afterEach(assertWithinLimits);
afterAll(async () => {
  assertWithinLimits();
  await assertSmallRows();
});
