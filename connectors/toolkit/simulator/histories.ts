import { createHistoryScript } from "#connectors/toolkit/simulator/history-script.ts";
import { importHistory, runGit } from "#connectors/toolkit/simulator/run-git.ts";

const AUTHOR = { name: "Nora Lindqvist", email: "nora@meridian.example" };

/** Adds commits to a branch (default: the default branch); an empty repository gets its first. */
export async function addCommits(
  directory: string,
  { count, branch }: { count: number; branch?: string },
): Promise<string> {
  const ref = branchRef(directory, branch);
  const before = tipOf(directory, ref);
  const script = createHistoryScript();
  let parent: string | number | undefined = before === null ? undefined : ref;
  const done = before === null ? 0 : Number(runGit(directory, ["rev-list", "--count", before]));
  for (let index = 1; index <= count; index += 1) {
    const number = done + index;
    parent = script.commit({
      ref,
      author: AUTHOR,
      at: Math.floor(Date.now() / 1000),
      message: `Log change ${number}\n`,
      from: parent,
      files: [{ path: `changes/${number}.md`, content: `# Change ${number}\n\nWritten at ${Date.now()}.\n` }],
    });
  }
  await importHistory(directory, script.parts());
  return tipOf(directory, ref) ?? "";
}

/** Adds one commit with these files to a branch (default: the default branch). Contents are base64. */
export async function addFiles(
  directory: string,
  {
    files,
    deleted = [],
    branch,
  }: { files: readonly { path: string; base64: string }[]; deleted?: readonly string[]; branch?: string },
): Promise<string> {
  const ref = branchRef(directory, branch);
  const before = tipOf(directory, ref);
  const script = createHistoryScript();
  script.commit({
    ref,
    author: AUTHOR,
    at: Math.floor(Date.now() / 1000),
    message: "Change files\n",
    from: before === null ? undefined : ref,
    files: files.map(({ path, base64 }) => ({ path, content: Buffer.from(base64, "base64") })),
    deleted,
  });
  await importHistory(directory, script.parts());
  return tipOf(directory, ref) ?? "";
}

/** Replaces the last commits of a branch by another one, like a force-push. */
export async function rewriteBranch(
  directory: string,
  { back, branch }: { back: number; branch?: string },
): Promise<string> {
  const ref = branchRef(directory, branch);
  const kept = runGit(directory, ["rev-parse", "--verify", "--quiet", `${ref}~${back}`]).trim();
  runGit(directory, ["update-ref", ref, kept]);
  return addCommits(directory, { count: 1, branch: ref.slice("refs/heads/".length) });
}

function branchRef(directory: string, branch: string | undefined): string {
  return branch === undefined ? runGit(directory, ["symbolic-ref", "HEAD"]).trim() : `refs/heads/${branch}`;
}

function tipOf(directory: string, ref: string): string | null {
  return runGit(directory, ["for-each-ref", "--format=%(objectname)", ref]).trim() || null;
}
