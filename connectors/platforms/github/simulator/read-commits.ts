import { runGit } from "#connectors/toolkit/simulator/run-git.ts";

/** A commit as git stores it. */
export type GitCommit = {
  sha: string;
  tree: string;
  parents: string[];
  author: GitPerson;
  committer: GitPerson;
  message: string;
};
export type GitPerson = { name: string; email: string; date: string };

/** A file that differs between two commits. */
export type ChangedFile = {
  path: string;
  status: "added" | "modified" | "removed";
  /** The blob; of the old side when the file was removed. */
  blob: string;
  additions: number;
  deletions: number;
  /** Its hunks; null = it is no text. */
  patch: string | null;
};

const FORMAT = "%H%x00%T%x00%P%x00%an%x00%ae%x00%aI%x00%cn%x00%ce%x00%cI%x00%B%x1e";
const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
const STATUS = { A: "added", M: "modified", D: "removed", T: "modified" } as const;

/** The object that a branch, a tag or an id names, of the given type; null = there is none. */
export function resolveRevision(
  directory: string,
  name: string,
  type: "commit" | "tree" | "blob" | "tag",
): string | null {
  if (name.startsWith("-") || /[\s:^~?*[\\]|\.\.|@\{/.test(name)) return null;
  for (const full of [`refs/heads/${name}`, `refs/tags/${name}`, name]) {
    try {
      return runGit(directory, ["rev-parse", "--verify", "--quiet", `${full}^{${type}}`]).trim();
    } catch {
      // The next reading of the name.
    }
  }
  return null;
}

/** Ids of the commits that a walk lists, newest first. */
export function walkCommits(directory: string, args: readonly string[]): string[] {
  return runGit(directory, ["rev-list", ...args])
    .split("\n")
    .filter((line) => line !== "");
}

/** Reads one commit. */
export function readCommit(directory: string, sha: string): GitCommit {
  const [line = ""] = runGit(directory, ["log", "-1", `--format=${FORMAT}`, sha]).split("\x1e");
  const [id = "", tree = "", parents = "", an = "", ae = "", ad = "", cn = "", ce = "", cd = "", text = ""] =
    line.split("\0");
  return {
    sha: id,
    tree,
    parents: parents.split(" ").filter((parent) => parent !== ""),
    author: { name: an, email: ae, date: inUtc(ad) },
    committer: { name: cn, email: ce, date: inUtc(cd) },
    message: text.replace(/\n+$/, ""),
  };
}

function inUtc(date: string): string {
  return new Date(date).toISOString().replace(/\.\d+Z$/, "Z");
}

/** The files that differ between two commits. `from` = null: everything in the other. */
export function changedFiles(directory: string, from: string | null, to: string): ChangedFile[] {
  const sides = ["--no-renames", from ?? EMPTY_TREE, to];
  const counts = new Map(
    rows(runGit(directory, ["diff", "--numstat", ...sides])).map((row) => {
      const [added = "", deleted = "", path = ""] = row.split("\t");
      return [path, { added, deleted }];
    }),
  );
  return rows(runGit(directory, ["diff", "--raw", "--abbrev=40", ...sides])).map((row) => {
    const [facts = "", path = ""] = row.split("\t");
    const [, , before = "", after = "", letter = "M"] = facts.split(" ");
    const status = STATUS[letter as keyof typeof STATUS] ?? "modified";
    const { added, deleted } = counts.get(path) ?? { added: "-", deleted: "-" };
    const isText = added !== "-";
    const shown = isText ? runGit(directory, ["diff", ...sides, "--", path]) : "";
    const start = shown.indexOf("\n@@");
    return {
      ...{ path, status, blob: status === "removed" ? before : after },
      ...{ additions: Number(added) || 0, deletions: Number(deleted) || 0 },
      patch: start < 0 ? null : shown.slice(start + 1).replace(/\n$/, ""),
    };
  });
}

const rows = (text: string) => text.split("\n").filter((row) => row !== "");
