import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { cloudflareTest } from "@cloudflare/vitest-plugin";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";
import { databaseWorker } from "./tests/harness/databases/database-worker.ts";
import { sweepSettings } from "./tests/harness/sweep-settings.ts";
import { workerTestBindings } from "./tests/harness/test-bindings.ts";
import { WorldsFirst } from "./tests/harness/worlds-first.ts";
import { isWholeRun, providedWaiting } from "./tests/rotation/waiting.ts";

/** Packages with many modules. Tests in workerd load modules one by one, so each package is bundled into one module. */
const PREBUNDLED = [
  "zod",
  "zod/mini",
  "drizzle-orm",
  "drizzle-orm/batch",
  "drizzle-orm/d1",
  "drizzle-orm/sqlite-core",
  "hono",
  "hono/factory",
  "hono/http-exception",
  "@hono/zod-openapi",
  "diff",
  "@logtape/logtape",
  "@logtape/redaction",
  "@remix-run/cloudflare",
  "@oslojs/otp",
  "jose",
  "stripe",
];

/** Where vitest 4 keeps transformed modules from one run to the next. */
const MODULE_CACHE = "node_modules/.experimental-vitest-cache";

/**
 * Drops source maps of packages and built screens. A map is longer than its module, every module crosses a socket, and
 * nobody needs these.
 */
const withoutForeignMaps: Plugin = {
  name: "no source maps of others",
  enforce: "post",
  transform: (code, id) => (/\/(?:node_modules|build)\//.test(id) ? { code, map: { mappings: "" } } : null),
};

const rotation = {
  runner: "./tests/rotation/rotating-runner.ts",
  provide: { waiting: providedWaiting() },
};

/** Two test projects: pure rules and formats run in Node, everything that uses a binding runs in workerd. */
export default defineConfig({
  test: {
    // A file in workerd that loads the product starts in two thirds of the time when nothing has to be transformed. A
    // whole run only reads the cache: filling it takes longer than it saves in the same run.
    experimental: { fsModuleCache: !isWholeRun() || existsSync(MODULE_CACHE) },
    // The default leaves one core free. On two cores that would run one file at a time.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    sequence: { sequencer: WorldsFirst },
    projects: [
      {
        test: {
          name: "unit",
          ...rotation,
          // Test files replace no modules, so files can share the loaded modules.
          isolate: false,
          setupFiles: ["./tests/harness/native-globals.ts"],
          env: sweepSettings(),
          include: ["**/*.test.{ts,tsx}"],
          exclude: ["**/*.worker.test.ts", "node_modules/**", "build/**", ".cache/**", "tests/journeys/**"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        plugins: [
          withoutForeignMaps,
          cloudflareTest(async () => ({
            main: "./tests/harness/test-worker.ts",
            wrangler: { configPath: "./wrangler.toml" },
            miniflare: {
              bindings: await workerTestBindings(),
              // Modules and calls cross a socket within this machine. Compressing them took an eighth of the processor time.
              compatibilityFlags: ["no_web_socket_compression"],
              ...databaseWorker(),
            },
          })),
        ],
        test: {
          name: "worker",
          ...rotation,
          deps: {
            optimizer: {
              ssr: {
                enabled: true,
                include: PREBUNDLED,
              },
            },
          },
          // Loading the product takes longer than most tests, so all files share one isolate.
          isolate: false,
          include: ["**/*.worker.test.ts"],
          exclude: ["node_modules/**", "build/**", ".cache/**"],
          globalSetup: ["./tests/harness/global-setup.ts"],
          setupFiles: ["./tests/harness/fresh-bindings.ts"],
          // The first request of a file loads the whole product, which is slow on a busy machine.
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
