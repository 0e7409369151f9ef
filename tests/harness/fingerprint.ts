import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { runGit } from "#connectors/toolkit/simulator/run-git.ts";

/** A repository's content: its refs, and the count and hash of the objects that they reach. */
export type Fingerprint = { refs: Record<string, string>; objectCount: number; objectsHash: string };

/** Reads a repository's fingerprint. @throws Error when `git fsck --strict` fails */
export function fingerprint(folder: string): Fingerprint {
  const lines = runGit(folder, ["for-each-ref", "--format=%(refname) %(objectname)"]).split("\n");
  const refs = Object.fromEntries(
    lines.filter((line) => line !== "").map((line) => line.split(" ") as [string, string]),
  );
  runGit(folder, ["fsck", "--full", "--strict"]);
  const kept = Object.keys(refs).filter((ref) => !ref.startsWith("refs/pull/"));
  const objects =
    kept.length === 0
      ? []
      : runGit(folder, ["rev-list", "--objects", "--exclude=refs/pull/*", "--all"])
          .split("\n")
          .filter((line) => line !== "")
          .map((line) => line.split(" ")[0]!)
          .sort();
  const objectsHash = createHash("sha256").update(objects.join("\n")).digest("hex");
  return { refs, objectCount: objects.length, objectsHash };
}

/** Clones a repository with plain git and returns its fingerprint, after `git fsck --strict`. `env`: more of git's settings. */
export async function cloneFrom(url: string, env: NodeJS.ProcessEnv = {}): Promise<Fingerprint> {
  const folder = await mkdtemp(path.join(tmpdir(), "clone-"));
  try {
    const args = ["clone", "--quiet", "--mirror", url, path.join(folder, "clone.git")];
    await promisify(execFile)("git", args, { env: { ...process.env, ...env } });
    return fingerprint(path.join(folder, "clone.git"));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
