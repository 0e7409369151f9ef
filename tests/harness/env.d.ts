import type { D1Migration } from "@cloudflare/vitest-plugin";
import type { DatabaseObject } from "./databases/quick-database.ts";

declare global {
  namespace Cloudflare {
    interface Env {
      DATABASES: { getByName(name: string): DatabaseObject };
      /** The D1 of the local runtime, without tables. */
      LOCAL_D1: D1Database;
      CONTROL_MIGRATIONS: D1Migration[];
      LEDGER_MIGRATIONS: D1Migration[];
      PUBLIC_URL: string;
      MASTER_KEYS: string;
      LINK_KEYS: string;
      AUTH_SECRET: string;
    }
  }
}
