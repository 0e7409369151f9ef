import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { ROOT, runTool } from "./tools.ts";

const SOURCES = [
  "app",
  "core",
  "connectors",
  "public",
  "vite.config.ts",
  "workers/commands/word-lists.ts",
  "package-lock.json",
];
const PRODUCT = "build/server/index.js";

/** True when a source of the screens is newer than the build, or there is no build. */
export function isBuildStale(root: string = ROOT): boolean {
  const built = modifiedAt(join(root, PRODUCT));
  if (built === null) return true;
  return SOURCES.some((source) => newestIn(join(root, source)) > built);
}

/** Builds the screens. @throws Error with the build's output */
export async function buildScreens(): Promise<void> {
  const { code, output } = await runTool("remix", ["vite:build"], { env: { NODE_ENV: "production" } });
  if (code !== 0) throw new Error(`The screens could not be built:\n${output}`);
}

function newestIn(path: string): number {
  const own = modifiedAt(path);
  if (own === null) return 0;
  if (!statSync(path).isDirectory()) return own;
  return Math.max(own, ...readdirSync(path).map((name) => newestIn(join(path, name))));
}

function modifiedAt(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null;
}
