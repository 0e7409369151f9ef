import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "#workers/commands/tools.ts";
import type { Runtime } from "./runtime.ts";

/** The organisation, connection and user of the bench's runs. */
export type World = { organisationId: string; connectionId: string; userId: string; platform: string };

/** A connected account that is not the git host's. Without a method, it has the one of platforms with a single one. */
export type Account = { platform: string; externalId: string; details: object; authMethod?: string };

/** Creates the databases of a fresh runtime and a person with a connected account. */
export async function openWorld(runtime: Runtime, account: Account | null = null): Promise<World> {
  await runtime.call("/migrate", { control: migrationsOf("control"), ledger: migrationsOf("ledger") });
  return await runtime.call<World>("/world", account ?? {});
}

function migrationsOf(name: string): string[] {
  const folder = join(ROOT, "migrations", name);
  return readdirSync(folder)
    .filter((file) => file.endsWith(".sql"))
    .sort()
    .flatMap((file) => readFileSync(join(folder, file), "utf8").split("--> statement-breakpoint"));
}
