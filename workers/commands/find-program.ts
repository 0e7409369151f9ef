import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { runTool } from "./tools.ts";

/** Path of the first of these programs in `PATH`; null if there is none. */
export function findProgram(
  names: readonly string[],
  environment: NodeJS.ProcessEnv = process.env,
): string | null {
  const folders = (environment.PATH ?? "").split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable) ?? null;
}

/** Installs Debian packages if allowed. Returns the last output of the failed attempts; null on success. */
export async function installPackages(packages: readonly string[]): Promise<string | null> {
  if (process.getuid?.() !== 0) return `Not root, so ${packages.join(", ")} cannot be installed.`;
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  const update = await runTool("apt-get", ["update"], { env });
  const install = await runTool("apt-get", ["install", "--yes", "--no-install-recommends", ...packages], {
    env,
  });
  if (install.code === 0) return null;
  return [update, install].map(({ output }) => output.trim().split("\n").slice(-6).join("\n")).join("\n");
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
