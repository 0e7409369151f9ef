/**
 * Starts the product with a sixth platform: a copy of the project in which its folder is planted, built and run like
 * `npm start`, whose options it takes. Nothing else of the copy differs.
 */
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
process.chdir(COPY);
await import(path.join(COPY, "workers/commands/start.ts"));
