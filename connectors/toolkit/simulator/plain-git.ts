import { text } from "node:stream/consumers";
import { gitEnvironment } from "./git-backend.ts";
import { startGitProcess } from "./git-process.ts";

/** Runs plain git without blocking, because this process may also run the simulator that answers it. */
export async function git(
  cwd: string,
  ...args: string[]
): Promise<{ code: number; stdout: string; stderr: string }> {
  const identity = { "user.name": "Nora Lindqvist", "user.email": "nora@meridian.example" };
  const env = gitEnvironment({ ...identity, "init.defaultBranch": "main" });
  const child = startGitProcess({ args, env, cwd });
  child.stdin.end();
  const [stdout, { code, complaint }] = await Promise.all([text(child.stdout), child.ended]);
  return { code: code ?? -1, stdout, stderr: complaint };
}
