import { defineConfig } from "drizzle-kit";

/** `npm run generate` writes both migration folders; `DATABASE` chooses which one this invocation serves, `MIGRATIONS_OUT` another folder. */
const database = process.env.DATABASE === "ledger" ? "ledger" : "control";

export default defineConfig({
  dialect: "sqlite",
  schema: `./core/database/${database}/index.ts`,
  out: process.env.MIGRATIONS_OUT ?? `./migrations/${database}`,
});
