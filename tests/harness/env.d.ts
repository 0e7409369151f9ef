import type { D1Migration } from "@cloudflare/vitest-plugin";

declare global {
  namespace Cloudflare {
    interface Env {
      CONTROL_MIGRATIONS: D1Migration[];
      LEDGER_MIGRATIONS: D1Migration[];
      PUBLIC_URL: string;
      MASTER_KEYS: string;
      LINK_KEYS: string;
      AUTH_SECRET: string;
    }
  }
}
