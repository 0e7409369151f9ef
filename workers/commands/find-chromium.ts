import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { runTool } from "./tools.ts";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** Path of an installed Chromium: the one named by `CHROMIUM_PATH`, else the first found in `PATH`; null without one. */
export function findChromium(environment: NodeJS.ProcessEnv = process.env): string | null {
  if (environment.CHROMIUM_PATH) return environment.CHROMIUM_PATH;
  const folders = (environment.PATH ?? "").split(delimiter);
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable) ?? null;
}

/**
 * Makes sure there is a browser for the journeys: an installed one, else Debian's package where we may install it,
 * else Playwright's own download. Answers its path; null stands for Playwright's own.
 * @throws Error with what the last attempt printed
 */
export async function ensureChromium(): Promise<string | null> {
  const installed = findChromium();
  if (installed) return installed;
  if (process.getuid?.() === 0 && (await runTool("apt-get", ["--version"])).code === 0) {
    await runTool("apt-get", ["update"]);
    await runTool("apt-get", ["install", "--yes", "--no-install-recommends", "chromium"], {
      env: { DEBIAN_FRONTEND: "noninteractive" },
    });
    const packaged = findChromium();
    if (packaged) return packaged;
  }
  const download = await runTool("playwright", ["install", "chromium"]);
  if (download.code !== 0)
    throw new Error(`There is no Chromium, and none could be fetched:\n${download.output}`);
  return null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
