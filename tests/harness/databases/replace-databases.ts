import { env } from "cloudflare:workers";
import { ledgerNames } from "../ledger-bindings.ts";
import { quickDatabase } from "./quick-database.ts";

/** Replaces every D1 binding, for tests and product alike: both use the same environment. */
export function replaceDatabases(): void {
  const bindings = env as unknown as Record<string, unknown>;
  for (const name of ["DB", ...ledgerNames()])
    bindings[name] = quickDatabase(() => env.DATABASES.getByName(name));
}
