import type { ChangedFile, GitCommit } from "./read-commits.ts";
import { type Body, nodeId, renderSimpleUser } from "./render.ts";
import { repositoryUrl } from "./render-issue.ts";
import { fullName } from "./repositories.ts";
import type { GithubWorld, Repository } from "./state.ts";

/** GitHub's statement about the signature of a commit. The simulated histories have none. */
export const UNSIGNED = {
  verified: false,
  reason: "unsigned",
  signature: null,
  payload: null,
  verified_at: null,
} as const;

/** A commit in lists and comparisons (`commit`). `files` only in the answer about a single one. */
export function renderCommit(
  world: GithubWorld,
  repository: Repository,
  commit: GitCommit,
  files?: readonly ChangedFile[],
): Body {
  const base = repositoryUrl(world, repository);
  const page = `${world.webUrl}/${fullName(repository)}`;
  const sum = (name: "additions" | "deletions") =>
    (files ?? []).reduce((total, file) => total + file[name], 0);
  return {
    sha: commit.sha,
    node_id: nodeId("C", `${repository.id}:${commit.sha}`),
    commit: {
      author: commit.author,
      committer: commit.committer,
      message: commit.message,
      tree: { sha: commit.tree, url: `${base}/git/trees/${commit.tree}` },
      url: `${base}/git/commits/${commit.sha}`,
      comment_count: 0,
      verification: UNSIGNED,
    },
    url: `${base}/commits/${commit.sha}`,
    html_url: `${page}/commit/${commit.sha}`,
    comments_url: `${base}/commits/${commit.sha}/comments`,
    author: personOf(world, commit.author.email),
    committer: personOf(world, commit.committer.email),
    parents: commit.parents.map((sha) => ({
      sha,
      url: `${base}/commits/${sha}`,
      html_url: `${page}/commit/${sha}`,
    })),
    ...(files === undefined
      ? {}
      : {
          stats: {
            additions: sum("additions"),
            deletions: sum("deletions"),
            total: sum("additions") + sum("deletions"),
          },
          files: files.map((file) => renderChangedFile(world, repository, file, commit.sha)),
        }),
  };
}

/** The account whose e-mail address a commit has; null = nobody's. */
function personOf(world: GithubWorld, email: string): Body | null {
  const account = world.state.accounts.find((one) => one.email === email);
  return account === undefined ? null : renderSimpleUser(world, account);
}

/** A changed file (`diff-entry`). @param at The commit that holds it. */
export function renderChangedFile(
  world: GithubWorld,
  repository: Repository,
  { path, status, blob, additions, deletions, patch }: ChangedFile,
  at: string,
): Body {
  const place = path.split("/").map(encodeURIComponent).join("/");
  const page = `${world.webUrl}/${fullName(repository)}`;
  return {
    sha: blob,
    filename: path,
    status,
    additions,
    deletions,
    changes: additions + deletions,
    blob_url: `${page}/blob/${at}/${place}`,
    raw_url: `${page}/raw/${at}/${place}`,
    contents_url: `${repositoryUrl(world, repository)}/contents/${place}?ref=${at}`,
    ...(patch === null ? {} : { patch }),
  };
}
