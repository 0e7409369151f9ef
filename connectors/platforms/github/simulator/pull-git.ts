import { runGit } from "#connectors/toolkit/simulator/run-git.ts";
import type { PullFacts } from "./records.ts";
import { gitDirectory } from "./repositories.ts";
import { type GithubWorld, type Repository, timestamp } from "./state.ts";

/** The commit that a branch points to; null when the branch does not exist. */
export function branchTip(world: GithubWorld, repository: Repository, branch: string): string | null {
  const directory = gitDirectory(world, repository);
  const refs = runGit(directory, [
    "for-each-ref",
    "--format=%(refname) %(objectname)",
    `refs/heads/${branch}`,
  ]);
  const line = refs.split("\n").find((row) => row.startsWith(`refs/heads/${branch} `));
  return line?.split(" ")[1] ?? null;
}

/** Whether a repository has a commit. */
export function hasCommit(world: GithubWorld, repository: Repository, oid: string): boolean {
  try {
    return runGit(gitDirectory(world, repository), ["cat-file", "-t", oid]).trim() === "commit";
  } catch {
    return false;
  }
}

/** The difference between a base and a head; null when they share no history. */
export function compareCommits(
  world: GithubWorld,
  repository: Repository,
  base: string,
  head: string,
): Pick<PullFacts, "commits" | "additions" | "deletions" | "changedFiles"> | null {
  const directory = gitDirectory(world, repository);
  let fork: string;
  try {
    fork = runGit(directory, ["merge-base", base, head]).trim();
  } catch {
    return null;
  }
  const rows = runGit(directory, ["diff", "--numstat", fork, head])
    .split("\n")
    .filter((row) => row !== "");
  const sum = (column: number) =>
    rows.reduce((total, row) => total + (Number(row.split("\t")[column]) || 0), 0);
  return {
    commits: Number(runGit(directory, ["rev-list", "--count", `${fork}..${head}`])),
    additions: sum(0),
    deletions: sum(1),
    changedFiles: rows.length,
  };
}

/** Writes the ref that GitHub keeps for every pull request. Nobody can push to it. */
export function publishPull(world: GithubWorld, repository: Repository, number: number, head: string): void {
  runGit(gitDirectory(world, repository), ["update-ref", `refs/pull/${number}/head`, head]);
}

/** The part of a file's diff that ends at a line; null when the diff does not include the line. */
export function hunkAt(
  world: GithubWorld,
  repository: Repository,
  place: { base: string; head: string; path: string; line: number | null; side: "LEFT" | "RIGHT" },
): string | null {
  const { base, head, path, line, side } = place;
  const shown = runGit(gitDirectory(world, repository), ["diff", `${base}...${head}`, "--", path]);
  const rows = shown.split("\n");
  const first = rows.findIndex((row) => row.startsWith("@@"));
  if (first < 0) return null;
  if (line === null) return rows.slice(first, first + 4).join("\n");
  let header = 0;
  const at = { LEFT: 0, RIGHT: 0 };
  for (let index = first; index < rows.length; index += 1) {
    const row = rows[index] ?? "";
    const start = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(row);
    if (start) {
      header = index;
      at.LEFT = Number(start[1]) - 1;
      at.RIGHT = Number(start[2]) - 1;
      continue;
    }
    if (!row.startsWith("+")) at.LEFT += 1;
    if (!row.startsWith("-")) at.RIGHT += 1;
    const isOnSide = side === "RIGHT" ? !row.startsWith("-") : !row.startsWith("+");
    if (isOnSide && at[side] === line && row !== "") {
      const from = Math.max(header + 1, index - 3);
      return [rows[header], ...rows.slice(from, index + 1)].join("\n");
    }
  }
  return null;
}

/** After a push, updates open pull requests to their new head commits. */
export function followHeads(world: GithubWorld, repository: Repository): void {
  const { issues } = world.records.of(repository);
  let hasChanged = false;
  for (const issue of issues) {
    const { pull } = issue;
    if (!pull || issue.state !== "open" || pull.headOwner !== repository.owner) continue;
    const tip = branchTip(world, repository, pull.headRef);
    if (tip === null || tip === pull.headSha) continue;
    pull.headSha = tip;
    Object.assign(pull, compareCommits(world, repository, pull.baseSha, tip) ?? {});
    publishPull(world, repository, issue.number, tip);
    world.mergeability.delete(String(pull.id));
    issue.updatedAt = timestamp();
    hasChanged = true;
  }
  if (hasChanged) world.records.save(repository);
}
