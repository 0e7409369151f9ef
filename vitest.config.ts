import { availableParallelism } from "node:os";
import { cloudflareTest } from "@cloudflare/vitest-plugin";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";
import { sweepSettings } from "./tests/harness/sweep-settings.ts";
import { workerTestBindings } from "./tests/harness/test-bindings.ts";

/** Packages of many modules. A test in workerd asks for each module by itself, one after the other, so each is made one. */
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
];

/** A source map is longer than its module, and every module crosses a socket. Those of packages and of the built screens help nobody. */
const withoutForeignMaps: Plugin = {
  name: "no source maps of others",
  enforce: "post",
  transform: (code, id) => (/\/(?:node_modules|build)\//.test(id) ? { code, map: { mappings: "" } } : null),
};

/** Two ways to run a test: rules and formats in Node, everything that touches a binding in workerd. */
export default defineConfig({
  test: {
    // A core is left free by default, which on two cores means one file after the other.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        test: {
          name: "unit",
          // Nothing is replaced between files, so the modules that many of them share are loaded once.
          isolate: false,
          setupFiles: ["./tests/harness/native-globals.ts"],
          env: sweepSettings(),
          include: ["**/*.test.{ts,tsx}"],
          exclude: ["**/*.worker.test.ts", "node_modules/**", "build/**", "tests/journeys/**"],
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
            miniflare: { bindings: await workerTestBindings() },
          })),
        ],
        test: {
          name: "worker",
          deps: {
            optimizer: {
              ssr: {
                enabled: true,
                include: PREBUNDLED,
              },
            },
          },
          // Loading the product takes longer than most files' tests: one isolate serves them all.
          isolate: false,
          include: ["**/*.worker.test.ts"],
          exclude: ["node_modules/**", "build/**"],
          globalSetup: ["./tests/harness/global-setup.ts"],
          setupFiles: ["./tests/harness/fresh-bindings.ts"],
          // The first request of a file loads the whole product, which takes its time on a crowded machine.
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
