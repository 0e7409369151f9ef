import { findProgram, installPackages } from "./find-program.ts";
import { runTool } from "./tools.ts";

/** The headless shell first: it draws nothing that nobody sees, and starts in half the time. */
const NAMES = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
];

/** Path of an installed Chromium: the one named by `CHROMIUM_PATH`, else the first found in `PATH`; null without one. */
export function findChromium(environment: NodeJS.ProcessEnv = process.env): string | null {
  return environment.CHROMIUM_PATH || findProgram(NAMES, environment);
}

/**
 * Makes sure there is a browser for the journeys: an installed one, else Debian's package where we may install it,
 * else Playwright's own download. Returns its path; null stands for Playwright's own.
 * @throws Error with what every attempt printed at its end
 */
export async function ensureChromium(): Promise<string | null> {
  const installed = findChromium();
  if (installed) return installed;
  const complaint =
    (await installPackages(["chromium-headless-shell"])) && (await installPackages(["chromium"]));
  const packaged = findChromium();
  if (packaged) return packaged;
  const { code, output } = await runTool("playwright", ["install", "chromium"]);
  if (code === 0) return null;
  throw new Error(
    `There is no Chromium, and none could be fetched.\n${complaint}\n${output.trim().split("\n").slice(-6).join("\n")}`,
  );
}
