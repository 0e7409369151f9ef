import type {
  CommitComment,
  Issue,
  IssueComment,
  Label,
  Milestone,
  Review,
  ReviewComment,
} from "../records.ts";
import { nodeId } from "../render.ts";
import { isPull, type PullRequest } from "../render-pull.ts";
import { fullName } from "../repositories.ts";
import type { Repository } from "../state.ts";
import { actorObject, reactionFields, writtenBy } from "./actors.ts";
import { connection } from "./connection.ts";
import type { GraphqlContext } from "./context.ts";
import type { GraphqlObject } from "./execute.ts";
import { idsOf } from "./ids.ts";

const byId = ({ id }: { id: number }) => id;

/** A label. */
export function labelObject({ world }: GraphqlContext, repository: Repository, label: Label): GraphqlObject {
  return {
    __typename: "Label",
    id: nodeId("LA", label.id),
    name: label.name,
    color: label.color,
    description: label.description,
    isDefault: label.isDefault,
    url: `${world.webUrl}/${fullName(repository)}/labels/${encodeURIComponent(label.name)}`,
  };
}

/** A milestone. */
export function milestoneObject(
  { world }: GraphqlContext,
  repository: Repository,
  milestone: Milestone,
): GraphqlObject {
  return {
    __typename: "Milestone",
    id: nodeId("MI", milestone.id),
    number: milestone.number,
    title: milestone.title,
    description: milestone.description,
    state: milestone.state.toUpperCase(),
    dueOn: milestone.dueOn,
    createdAt: milestone.createdAt,
    updatedAt: milestone.updatedAt,
    closed: milestone.state === "closed",
    closedAt: milestone.closedAt,
    url: `${world.webUrl}/${fullName(repository)}/milestone/${milestone.number}`,
  };
}

/** An issue or a pull request. */
export function threadObject(context: GraphqlContext, repository: Repository, issue: Issue): GraphqlObject {
  const common = commonFields(context, repository, issue);
  if (isPull(issue)) return { ...common, ...pullFields(context, repository, issue) };
  return {
    __typename: "Issue",
    ...common,
    ...idsOf("I", issue.id),
    state: issue.state.toUpperCase(),
    stateReason: issue.stateReason?.toUpperCase() ?? null,
  };
}

function commonFields(context: GraphqlContext, repository: Repository, issue: Issue): GraphqlObject {
  const { world } = context;
  const records = world.records.of(repository);
  const path = issue.pull ? "pull" : "issues";
  const labels = issue.labelIds.flatMap((id) => records.labels.find((label) => label.id === id) ?? []);
  return {
    number: issue.number,
    title: issue.title,
    ...writtenBy(world, repository, issue),
    closed: issue.state === "closed",
    closedAt: issue.closedAt,
    url: `${world.webUrl}/${fullName(repository)}/${path}/${issue.number}`,
    locked: issue.isLocked,
    activeLockReason: issue.lockReason?.toUpperCase().replace(/[ -]/g, "_") ?? null,
    repository: () => context.showRepository(repository),
    labels: connection("labels", labels, byId, (label) => labelObject(context, repository, label)),
    assignees: connection(
      "assignees",
      issue.assignees.map((login, id) => ({ login, id })),
      byId,
      ({ login }) => actorObject(world, login) ?? { __typename: "User", login },
    ),
    milestone: () => {
      const milestone = records.milestones.find(({ number }) => number === issue.milestone);
      return milestone ? milestoneObject(context, repository, milestone) : null;
    },
    comments: (args: Record<string, unknown>) =>
      connection(
        "comments",
        records.comments.filter((comment) => comment.issue === issue.number),
        byId,
        (comment) => commentObject(context, repository, comment),
      )(args),
    ...reactionFields(context, issue.reactions),
  };
}

/** A comment on an issue or pull request. */
export function commentObject(
  context: GraphqlContext,
  repository: Repository,
  comment: IssueComment,
): GraphqlObject {
  const { world } = context;
  const url = `${world.webUrl}/${fullName(repository)}/issues/${comment.issue}#issuecomment-${comment.id}`;
  return {
    __typename: "IssueComment",
    ...idsOf("IC", comment.id),
    ...writtenBy(world, repository, comment),
    url,
    isMinimized: comment.minimizedAs !== undefined,
    minimizedReason: comment.minimizedAs ?? null,
    ...reactionFields(context, comment.reactions),
  };
}

/** A comment on a commit. */
export function commitCommentObject(
  context: GraphqlContext,
  repository: Repository,
  comment: CommitComment,
): GraphqlObject {
  const { world } = context;
  const { id, commit, path, position } = comment;
  return {
    __typename: "CommitComment",
    ...idsOf("CC", id),
    ...writtenBy(world, repository, comment),
    ...{ path, position },
    url: `${world.webUrl}/${fullName(repository)}/commit/${commit}#commitcomment-${id}`,
    ...reactionFields(context, comment.reactions),
  };
}

function pullFields(context: GraphqlContext, repository: Repository, issue: PullRequest): GraphqlObject {
  const { world } = context;
  const { pull } = issue;
  const records = world.records.of(repository);
  const visible = records.reviews.filter(
    ({ pull: number, state, author }) =>
      number === issue.number && (state !== "PENDING" || author === context.login),
  );
  return {
    __typename: "PullRequest",
    ...idsOf("PR", pull.id),
    state: pull.mergedAt === null ? issue.state.toUpperCase() : "MERGED",
    isDraft: pull.isDraft,
    merged: pull.mergedAt !== null,
    mergedAt: pull.mergedAt,
    mergedBy: () => actorObject(world, pull.mergedBy),
    mergeCommit: pull.mergeSha === null ? null : commitObject(pull.mergeSha),
    baseRefName: pull.baseRef,
    baseRefOid: pull.baseSha,
    headRefName: pull.headRef,
    headRefOid: pull.headSha,
    headRepository: () => (pull.headOwner === null ? null : context.showRepository(repository)),
    headRepositoryOwner: () => actorObject(world, pull.headOwner),
    isCrossRepository: pull.headOwner !== repository.owner,
    additions: pull.additions,
    deletions: pull.deletions,
    changedFiles: pull.changedFiles,
    maintainerCanModify: pull.canMaintainerModify,
    reviews: connection("reviews", visible, byId, (review) => reviewObject(context, repository, review)),
    reviewThreads: (args: Record<string, unknown>) =>
      connection(
        "reviewThreads",
        records.reviewComments.filter(({ pull: of, replyTo }) => of === issue.number && replyTo === null),
        byId,
        (first) => reviewThreadObject(context, repository, first),
      )(args),
    reviewRequests: connection(
      "reviewRequests",
      pull.requestedReviewers.map((login, id) => ({ login, id })),
      byId,
      ({ login }) => ({
        requestedReviewer: () => actorObject(world, login),
      }),
    ),
  };
}

/** A review of a pull request. */
export function reviewObject(context: GraphqlContext, repository: Repository, review: Review): GraphqlObject {
  const { world } = context;
  const at = review.submittedAt ?? world.records.of(repository).issues[0]?.createdAt ?? "";
  const thing = { author: review.author, body: review.body, createdAt: at, updatedAt: at };
  const own = () =>
    world.records.of(repository).reviewComments.filter((comment) => comment.review === review.id);
  return {
    __typename: "PullRequestReview",
    ...idsOf("PRR", review.id),
    ...writtenBy(world, repository, thing),
    state: review.state,
    submittedAt: review.submittedAt,
    commit: commitObject(review.commit),
    url: `${world.webUrl}/${fullName(repository)}/pull/${review.pull}#pullrequestreview-${review.id}`,
    comments: (args: Record<string, unknown>) =>
      connection("comments", own(), byId, (comment) => reviewCommentObject(context, repository, comment))(
        args,
      ),
    ...reactionFields(context, review.reactions),
  };
}

/** A comment on a line of a pull request. */
export function reviewCommentObject(
  context: GraphqlContext,
  repository: Repository,
  comment: ReviewComment,
): GraphqlObject {
  const { world } = context;
  return {
    __typename: "PullRequestReviewComment",
    ...idsOf("PRRC", comment.id),
    ...writtenBy(world, repository, comment),
    path: comment.path,
    line: comment.line,
    originalLine: comment.originalLine,
    diffHunk: comment.diffHunk,
    url: `${world.webUrl}/${fullName(repository)}/pull/${comment.pull}#discussion_r${comment.id}`,
    ...reactionFields(context, comment.reactions),
  };
}

/** A conversation on a line: its first comment and the replies. Its id is derived from that of the first comment. */
export function reviewThreadObject(
  context: GraphqlContext,
  repository: Repository,
  first: ReviewComment,
): GraphqlObject {
  const { world } = context;
  const members = () =>
    world.records
      .of(repository)
      .reviewComments.filter(({ id, replyTo }) => id === first.id || replyTo === first.id);
  return {
    __typename: "PullRequestReviewThread",
    id: nodeId("PRRT", first.id),
    isResolved: first.resolvedBy !== undefined,
    resolvedBy: () => actorObject(world, first.resolvedBy ?? null),
    path: first.path,
    comments: (args: Record<string, unknown>) =>
      connection("comments", members(), byId, (comment) => reviewCommentObject(context, repository, comment))(
        args,
      ),
  };
}

function commitObject(oid: string): GraphqlObject {
  return { id: nodeId("C", oid), oid, abbreviatedOid: oid.slice(0, 7) };
}
