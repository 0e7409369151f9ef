/**
 * Starts the product with a sixth platform: a copy of the project in which its folder is planted, built and run like
 * `npm start`, whose options it takes. Nothing else of the copy differs.
 */
import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { plantPlatform } from "#tests/harness/plant-platform.ts";
import { ROOT } from "#workers/commands/tools.ts";

/** A folder that no tool of the project looks into. */
const COPY = path.join(ROOT, ".cache/sixth-platform");
const SOURCES = [
  "app",
  "connectors",
  "core",
  "durable-objects",
  "migrations",
  "public",
  "tests/simulators",
  "workers",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "vite.config.ts",
  "wrangler.toml",
];

plantPlatform({
  into: COPY,
  sources: SOURCES,
  platform: { id: "almanac", folder: path.join(import.meta.dirname, "almanac") },
});
// The migrations are the same, so the copy may begin with the project's empty databases.
const databases = path.join(ROOT, ".cache/databases");
mkdirSync(databases, { recursive: true });
mkdirSync(path.join(COPY, ".cache"), { recursive: true });
if (!existsSync(path.join(COPY, ".cache/databases"))) {
  symlinkSync(databases, path.join(COPY, ".cache/databases"));
}
process.chdir(COPY);
await import(path.join(COPY, "workers/commands/start.ts"));
