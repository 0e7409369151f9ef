import type { Issue, PullFacts, Review, ReviewComment } from "./records.ts";
import { type Body, nodeId } from "./render.ts";
import { association, renderLogin, renderRollup, renderThread, repositoryUrl } from "./render-issue.ts";
import { fullName } from "./repositories.ts";
import type { GithubWorld, Repository } from "./state.ts";

/** An issue that is a pull request. */
export type PullRequest = Issue & { pull: PullFacts };

/** Whether an issue is a pull request. */
export function isPull(issue: Issue): issue is PullRequest {
  return issue.pull !== null;
}

/**
 * A pull request in the form of lists.
 * @param shown the rendered repository, which is expensive and therefore rendered once per list
 */
export function renderPullSimple(
  world: GithubWorld,
  repository: Repository,
  issue: PullRequest,
  shown: Body,
): Body {
  const base = repositoryUrl(world, repository);
  const url = `${base}/pulls/${issue.number}`;
  const issueUrl = `${base}/issues/${issue.number}`;
  const htmlUrl = `${world.webUrl}/${fullName(repository)}/pull/${issue.number}`;
  const { pull } = issue;
  const side = (owner: string | null, ref: string, sha: string) => ({
    label: owner === null ? `unknown repository` : `${owner}:${ref}`,
    ref,
    sha,
    user: renderLogin(world, owner ?? "ghost"),
    repo: owner === null ? null : shown,
  });
  const links = {
    self: url,
    html: htmlUrl,
    issue: issueUrl,
    comments: `${issueUrl}/comments`,
    review_comments: `${url}/comments`,
    review_comment: `${base}/pulls/comments{/number}`,
    commits: `${url}/commits`,
    statuses: `${base}/statuses/${pull.headSha}`,
  };
  return {
    url,
    id: pull.id,
    node_id: nodeId("PR", pull.id),
    html_url: htmlUrl,
    diff_url: `${htmlUrl}.diff`,
    patch_url: `${htmlUrl}.patch`,
    issue_url: links.issue,
    commits_url: links.commits,
    review_comments_url: links.review_comments,
    review_comment_url: links.review_comment,
    comments_url: links.comments,
    statuses_url: links.statuses,
    ...renderThread(world, repository, issue),
    merged_at: pull.mergedAt,
    merge_commit_sha: pull.mergeSha,
    requested_reviewers: pull.requestedReviewers.map((login) => renderLogin(world, login)),
    requested_teams: [],
    head: side(pull.headOwner, pull.headRef, pull.headSha),
    base: side(repository.owner, pull.baseRef, pull.baseSha),
    _links: Object.fromEntries(Object.entries(links).map(([name, href]) => [name, { href }])),
    auto_merge: null,
    draft: pull.isDraft,
  };
}

/**
 * A single pull request. GitHub computes in the background whether it can be merged, so the first answer after a change
 * is `null`.
 */
export function renderPull(
  world: GithubWorld,
  repository: Repository,
  issue: PullRequest,
  shown: Body,
): Body {
  const { pull } = issue;
  const records = world.records.of(repository);
  const isOpen = issue.state === "open";
  const isKnown = world.mergeability.has(String(pull.id));
  world.mergeability.add(String(pull.id));
  return {
    ...renderPullSimple(world, repository, issue, shown),
    merged: pull.mergedAt !== null,
    mergeable: isOpen && isKnown ? true : null,
    rebaseable: isOpen && isKnown ? true : null,
    mergeable_state: isOpen && isKnown ? "clean" : "unknown",
    merged_by: pull.mergedBy === null ? null : renderLogin(world, pull.mergedBy),
    comments: issue.commentCount,
    review_comments: records.reviewComments.filter((comment) => comment.pull === issue.number).length,
    maintainer_can_modify: pull.canMaintainerModify,
    commits: pull.commits,
    additions: pull.additions,
    deletions: pull.deletions,
    changed_files: pull.changedFiles,
  };
}

/** A review. */
export function renderReview(world: GithubWorld, repository: Repository, review: Review): Body {
  const pullUrl = `${repositoryUrl(world, repository)}/pulls/${review.pull}`;
  const htmlUrl = `${world.webUrl}/${fullName(repository)}/pull/${review.pull}#pullrequestreview-${review.id}`;
  return {
    id: review.id,
    node_id: nodeId("PRR", review.id),
    user: renderLogin(world, review.author),
    body: review.body,
    state: review.state,
    html_url: htmlUrl,
    pull_request_url: pullUrl,
    author_association: association(world, repository, review.author),
    _links: { html: { href: htmlUrl }, pull_request: { href: pullUrl } },
    ...(review.submittedAt === null ? {} : { submitted_at: review.submittedAt }),
    commit_id: review.commit,
  };
}

/** A comment on a line or a file of a pull request. */
export function renderReviewComment(
  world: GithubWorld,
  repository: Repository,
  comment: ReviewComment,
): Body {
  const base = repositoryUrl(world, repository);
  const url = `${base}/pulls/comments/${comment.id}`;
  const pullUrl = `${base}/pulls/${comment.pull}`;
  const htmlUrl = `${world.webUrl}/${fullName(repository)}/pull/${comment.pull}#discussion_r${comment.id}`;
  const position = comment.line === null ? {} : { position: comment.line };
  return {
    url,
    pull_request_review_id: comment.review,
    id: comment.id,
    node_id: nodeId("PRRC", comment.id),
    diff_hunk: comment.diffHunk,
    path: comment.path,
    commit_id: comment.commit,
    original_commit_id: comment.originalCommit,
    user: renderLogin(world, comment.author),
    body: comment.body,
    created_at: comment.createdAt,
    updated_at: comment.updatedAt,
    html_url: htmlUrl,
    pull_request_url: pullUrl,
    author_association: association(world, repository, comment.author),
    _links: { self: { href: url }, html: { href: htmlUrl }, pull_request: { href: pullUrl } },
    reactions: renderRollup(url, comment.reactions),
    start_line: comment.startLine,
    original_start_line: comment.startLine,
    start_side: comment.startLine === null ? null : comment.side,
    ...(comment.line === null ? {} : { line: comment.line }),
    ...(comment.originalLine === null ? {} : { original_line: comment.originalLine }),
    side: comment.side,
    ...position,
    original_position: comment.originalLine ?? 1,
    subject_type: comment.subject,
    ...(comment.replyTo === null ? {} : { in_reply_to_id: comment.replyTo }),
  };
}
