import { findProgram, installPackages } from "./find-program.ts";
import { runTool } from "./tools.ts";

/** The headless shell comes first: it draws no window and starts in half the time. */
const NAMES = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
];

/** Path of an installed Chromium: `CHROMIUM_PATH`, otherwise the first one in `PATH`; null if there is none. */
export function findChromium(environment: NodeJS.ProcessEnv = process.env): string | null {
  return environment.CHROMIUM_PATH || findProgram(NAMES, environment);
}

/**
 * Makes sure there is a browser for the journeys: an installed one, otherwise Debian's package if we may install it,
 * otherwise Playwright's download. Returns its path; null means Playwright's own browser.
 * @throws Error with the last output of every attempt
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
