import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { gitEnvironment } from "./git-backend.ts";
import { askOnce } from "./known-answers.ts";

/** Runs git on a repository and returns what it printed. @throws when git fails, with its own words. */
export function runGit(repository: string | null, args: readonly string[]): string {
  return repository === null ? start(null, args) : askOnce(repository, args, () => start(repository, args));
}

function start(repository: string | null, args: readonly string[]): string {
  const result = spawnSync("git", repository ? ["-C", repository, ...args] : [...args], {
    env: gitEnvironment(),
    maxBuffer: 256 * 1024 * 1024,
  });
  if (result.status !== 0) {
    throw new Error(`git ${args.join(" ")} failed: ${result.error ?? result.stderr.toString()}`);
  }
  return result.stdout.toString();
}

/** Pours a stream into `git fast-import`. @throws when git refuses it. */
export async function importHistory(repository: string, parts: Iterable<string | Uint8Array>): Promise<void> {
  const child = spawn("git", ["-C", repository, "fast-import", "--quiet", "--force"], {
    env: gitEnvironment({ "core.fsync": "none" }),
    stdio: ["pipe", "ignore", "pipe"],
  });
  const complaints: Buffer[] = [];
  child.stderr.on("data", (chunk: Buffer) => complaints.push(chunk));
  const exited = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  child.stdin.on("error", () => undefined);
  for (const part of parts) {
    // A git that has died never drains.
    if (!child.stdin.write(part)) await Promise.race([once(child.stdin, "drain"), exited]);
  }
  child.stdin.end();
  if ((await exited) !== 0) throw new Error(`git fast-import failed: ${Buffer.concat(complaints)}`);
}
