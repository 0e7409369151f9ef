import { defineConfig } from "@playwright/test";

const given = process.env.JOURNEY_PORT;
process.env.JOURNEY_PORT ??= "8861";
// The address of the product is read when the journeys' own configuration is loaded.
const { default: journeys } = await import("../../playwright.config.ts");
const folder = process.env.JOURNEY_DIR ?? "tests/.output/sixth-platform-data";

/** Journeys through the product with a sixth platform: `npx playwright test --config tests/sixth-platform`. */
export default defineConfig({
  ...journeys,
  testDir: ".",
  use: { ...journeys.use, actionTimeout: 30_000 },
  outputDir: "../.output/sixth-platform",
  webServer: {
    command: `node --import tsx tests/sixth-platform/start.ts --port ${process.env.JOURNEY_PORT} --dir ${folder} --reset --no-seed`,
    cwd: "../..",
    url: `http://localhost:${process.env.JOURNEY_PORT}`,
    timeout: 300_000,
    reuseExistingServer: given !== undefined,
    gracefulShutdown: { signal: "SIGTERM", timeout: 20_000 },
    stdout: "pipe",
  },
});
