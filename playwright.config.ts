import { defineConfig } from "@playwright/test";
import { PORT as port } from "./tests/journeys/stack.ts";
import { ensureChromium } from "./workers/commands/find-chromium.ts";

const folder = process.env.JOURNEY_DIR ?? "tests/.output/journeys-data";

/** Journeys: user tasks in a real browser, against the whole product with a new, empty account. */
export default defineConfig({
  testDir: "tests/journeys",
  testMatch: "**/*.journey.ts",
  outputDir: "tests/.output/journeys",
  workers: 2,
  // A busy machine may be too slow once. The output lists tests that needed a retry.
  retries: 1,
  // Generous: a machine may be busy, and a passing test waits no longer than it must.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  use: {
    baseURL: `http://localhost:${port}`,
    browserName: "chromium",
    launchOptions: {
      executablePath: (await ensureChromium()) ?? undefined,
      // Without the process that imitates a graphics card, pages take a tenth less processor time.
      args: ["--no-sandbox", "--disable-gpu", "--disable-software-rasterizer"],
    },
    actionTimeout: 90_000,
    trace: "on-first-retry",
    screenshot: "only-on-failure",
  },
  webServer: {
    command: `npm start -- --port ${port} --dir ${folder} --reset --no-seed`,
    url: `http://localhost:${port}`,
    timeout: 300_000,
    // With JOURNEY_PORT set, the product may already be running on that port.
    reuseExistingServer: Boolean(process.env.JOURNEY_PORT),
    gracefulShutdown: { signal: "SIGTERM", timeout: 20_000 },
    stdout: "pipe",
  },
});
