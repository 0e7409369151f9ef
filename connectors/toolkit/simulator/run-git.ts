import { once } from "node:events";
import { gitEnvironment } from "./git-backend.ts";
import { runGitProcess, startGitProcess } from "./git-process.ts";
import { askOnce } from "./known-answers.ts";

/** Runs git on a repository and returns its output. @throws when git fails, with its error message */
export function runGit(repository: string | null, args: readonly string[]): string {
  return repository === null ? start(null, args) : askOnce(repository, args, () => start(repository, args));
}

/** The bytes of a file, which need not be text. @throws when git fails, with its error message */
export function readGitBlob(repository: string, oid: string): Buffer<ArrayBuffer> {
  return Buffer.from(startForBytes(repository, ["cat-file", "blob", oid]));
}

function start(repository: string | null, args: readonly string[]): string {
  return startForBytes(repository, args).toString();
}

function startForBytes(repository: string | null, args: readonly string[]): Buffer {
  const place = repository ? ["-C", repository] : [];
  const { status, stdout, stderr } = runGitProcess({ args: [...place, ...args], env: gitEnvironment() });
  if (status !== 0) throw new Error(`git ${args.join(" ")} failed: ${stderr}`);
  return stdout;
}

/** Streams a history into `git fast-import`. @throws when git fails */
export async function importHistory(repository: string, parts: Iterable<string | Uint8Array>): Promise<void> {
  const git = startGitProcess({
    args: ["-C", repository, "fast-import", "--quiet", "--force"],
    env: gitEnvironment(),
  });
  git.stdout.resume();
  for (const part of parts) {
    // A git process that has died never drains.
    if (!git.stdin.write(part)) await Promise.race([once(git.stdin, "drain"), git.ended]);
  }
  git.stdin.end();
  const { code, complaint } = await git.ended;
  if (code !== 0) throw new Error(`git fast-import failed: ${complaint}`);
}
