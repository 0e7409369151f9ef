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
 * @throws Error with what every attempt printed at its end
 */
export async function ensureChromium(): Promise<string | null> {
  const installed = findChromium();
  if (installed) return installed;
  const attempts: string[] = [];
  const attempt = async (name: string, args: string[]) => {
    const { code, output } = await runTool(name, args, { env: { DEBIAN_FRONTEND: "noninteractive" } });
    if (code !== 0)
      attempts.push(`${name} ${args.join(" ")}:\n${output.trim().split("\n").slice(-6).join("\n")}`);
    return code === 0;
  };
  if (process.getuid?.() === 0 && (await runTool("apt-get", ["--version"])).code === 0) {
    await attempt("apt-get", ["update"]);
    await attempt("apt-get", ["install", "--yes", "--no-install-recommends", "chromium"]);
    const packaged = findChromium();
    if (packaged) return packaged;
  }
  if (await attempt("playwright", ["install", "chromium"])) return null;
  throw new Error(`There is no Chromium, and none could be fetched.\n${attempts.join("\n")}`);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
