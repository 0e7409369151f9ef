import { readD1Migrations } from "@cloudflare/vitest-plugin";

/** Variables and migrations that every test in workerd receives. Keys are fixed: they protect nothing. */
export async function workerTestBindings() {
  return {
    CONTROL_MIGRATIONS: await readD1Migrations("./migrations/control"),
    LEDGER_MIGRATIONS: await readD1Migrations("./migrations/ledger"),
    PUBLIC_URL: "https://app.example.test",
    MASTER_KEYS: "1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8",
    LINK_KEYS: "1:ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8",
    AUTH_SECRET: "QEFCQ0RFRkdISUpLTE1OT1BRUlNUVVZXWFlaW1xdXl8",
  };
}
