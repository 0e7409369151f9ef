import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { runGit } from "#connectors/toolkit/simulator/run-git.ts";

/** One ref and the commit it resolves to; for an annotated tag, `object` is the tag object. */
export type BareRef = { name: string; object: string; commit: string };

/** Removes a bare repository. */
export function removeBare(directory: string): void {
  rmSync(directory, { recursive: true, force: true });
}

/** Whether the repository exists. */
export function isBare(directory: string): boolean {
  return existsSync(path.join(directory, "HEAD"));
}

/** The branch that HEAD points to. Neither the branch nor the repository needs to exist. */
export function headBranch(directory: string): string {
  if (!isBare(directory)) return "main";
  const head = readFileSync(path.join(directory, "HEAD"), "utf8");
  return /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1] ?? "main";
}

/** Whether it has no branch. Reads files instead of running git, because lists check every project. */
export function isEmptyBare(directory: string): boolean {
  const packed = path.join(directory, "packed-refs");
  if (existsSync(packed) && / refs\/heads\//.test(readFileSync(packed, "utf8"))) return false;
  const heads = path.join(directory, "refs/heads");
  return !existsSync(heads) || readdirSync(heads).length === 0;
}

/** Refs below a prefix, in git's order. */
export function listRefs(directory: string, prefix: string): BareRef[] {
  if (!isBare(directory)) return [];
  const format = "%(refname)%00%(objectname)%00%(*objectname)";
  return runGit(directory, ["for-each-ref", `--format=${format}`, prefix])
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [ref = "", object = "", peeled = ""] = line.split("\0");
      return { name: ref.slice(prefix.length), object, commit: peeled || object };
    });
}

/** The commit that a name resolves to, or null. */
export function resolveCommit(directory: string, name: string): string | null {
  if (!isBare(directory) || name === "" || name.startsWith("-")) return null;
  for (const candidate of [`refs/heads/${name}`, `refs/tags/${name}`, name]) {
    try {
      return runGit(directory, ["rev-parse", "--verify", "--quiet", `${candidate}^{commit}`]).trim();
    } catch {
      // Not under this name; try the next one.
    }
  }
  return null;
}

/** Total size of its objects. */
export function bytesOf(directory: string): number {
  let bytes = 0;
  const walk = (folder: string) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const full = path.join(folder, entry.name);
      if (entry.isDirectory()) walk(full);
      else if (entry.isFile()) bytes += statSync(full, { throwIfNoEntry: false })?.size ?? 0;
    }
  };
  const objects = path.join(directory, "objects");
  if (existsSync(objects)) walk(objects);
  return bytes;
}
