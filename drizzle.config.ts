import { defineConfig } from "drizzle-kit";

/**
 * `npm run generate` writes both migration folders. `DATABASE` selects the database; `MIGRATIONS_OUT` overrides the
 * output folder.
 */
const database = process.env.DATABASE === "ledger" ? "ledger" : "control";

export default defineConfig({
  dialect: "sqlite",
  schema: `./core/database/${database}/index.ts`,
  out: process.env.MIGRATIONS_OUT ?? `./migrations/${database}`,
});
