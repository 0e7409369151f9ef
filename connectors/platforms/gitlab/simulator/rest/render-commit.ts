import { runGit } from "#connectors/toolkit/simulator/run-git.ts";
import type { Body } from "./answers.ts";

const FORMAT = "%H%x00%P%x00%an%x00%ae%x00%aI%x00%cn%x00%ce%x00%cI%x00%B%x01";

/** The commits of `git log` with these arguments. */
export function readCommits(directory: string, webUrl: string, args: readonly string[]): Body[] {
  return runGit(directory, ["log", `--format=${FORMAT}`, ...args])
    .split("\x01")
    .map((part) => part.replace(/^\n/, ""))
    .filter((part) => part !== "")
    .map((part) => {
      const [
        id = "",
        parents = "",
        author,
        authorEmail,
        authored,
        committer,
        committerEmail,
        committed,
        message = "",
      ] = part.split("\0");
      return {
        id,
        short_id: id.slice(0, 8),
        created_at: committed,
        parent_ids: parents.split(" ").filter((parent) => parent !== ""),
        title: message.split("\n")[0],
        message,
        author_name: author,
        author_email: authorEmail,
        authored_date: authored,
        committer_name: committer,
        committer_email: committerEmail,
        committed_date: committed,
        trailers: {},
        extended_trailers: {},
        web_url: `${webUrl}/-/commit/${id}`,
      };
    });
}

/** One commit, or null when it does not exist. */
export function readCommit(directory: string, webUrl: string, sha: string): Body | null {
  return readCommits(directory, webUrl, ["-1", sha, "--"])[0] ?? null;
}
