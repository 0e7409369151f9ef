import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** Runs real git and answers what it prints. @throws Error with what it complains of */
export async function git(args: readonly string[]): Promise<string> {
  return (await promisify(execFile)("git", [...args])).stdout;
}

/** The commit that HEAD of a repository names, near or far. */
export async function headOf(repository: string): Promise<string> {
  return (await git(["ls-remote", repository, "HEAD"])).slice(0, 40);
}

/** Every branch, tag and note of a repository with its object; what a platform keeps for itself is left out. */
export async function refsOf(repository: string): Promise<Record<string, string>> {
  const lines = (await git(["ls-remote", repository])).split("\n").filter((line) => line !== "");
  const refs = lines.map((line) => line.split("\t").reverse() as [string, string]);
  return Object.fromEntries(refs.filter(([name]) => /^refs\/(heads|tags|notes)\//.test(name)));
}
