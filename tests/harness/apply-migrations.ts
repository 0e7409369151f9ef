import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { REGIONS } from "#core/kernel/platform-id.ts";

await applyD1Migrations(env.DB, env.CONTROL_MIGRATIONS);
for (const region of REGIONS) await applyD1Migrations(env[`LEDGER_${region}`], env.LEDGER_MIGRATIONS);
