import { runGit } from "#connectors/toolkit/simulator/run-git.ts";
import type { Body } from "./answers.ts";

/** What differs between two commits or trees, by file, as GitLab shows it. */
export function readDiffs(directory: string, from: string, to: string): Body[] {
  const raw = runGit(directory, ["diff", "--raw", "-z", "--no-renames", from, to]).split("\0");
  const changes: Body[] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const [, before = "", after = "", status = ""] =
      /^:(\d+) (\d+) \S+ \S+ (\w)/.exec(raw[index] ?? "") ?? [];
    const file = raw[index + 1] ?? "";
    const diff = runGit(directory, ["diff", "--no-renames", from, to, "--", file]);
    changes.push({
      diff: diff.includes("\n@@") ? diff.slice(diff.indexOf("\n@@") + 1) : "",
      collapsed: false,
      too_large: false,
      new_path: file,
      old_path: file,
      a_mode: before === "000000" ? "0" : before,
      b_mode: after === "000000" ? "0" : after,
      new_file: status === "A",
      renamed_file: false,
      deleted_file: status === "D",
      generated_file: false,
    });
  }
  return changes;
}
