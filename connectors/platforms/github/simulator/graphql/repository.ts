import { reachOf } from "../access.ts";
import type { Issue } from "../records.ts";
import { nodeId } from "../render.ts";
import { isPull } from "../render-pull.ts";
import { defaultBranch, fullName } from "../repositories.ts";
import type { Permission, Repository } from "../state.ts";
import { findIssue } from "../threads.ts";
import { actorObject } from "./actors.ts";
import { connection } from "./connection.ts";
import { type GraphqlContext, requirePermission } from "./context.ts";
import { categoryObject, discussionObject } from "./discussions.ts";
import { type Arguments, FieldError, type GraphqlObject } from "./execute.ts";
import { idsOf } from "./ids.ts";
import { projectObject } from "./projects.ts";
import { protectionObject, protectionRules } from "./protection.ts";
import { releaseObject } from "./releases.ts";
import { commitCommentObject, labelObject, milestoneObject, threadObject } from "./threads.ts";

const byId = ({ id }: { id: number }) => id;

/** A repository with all lists below it. */
export function repositoryObject(context: GraphqlContext, repository: Repository): GraphqlObject {
  const { world } = context;
  return {
    __typename: "Repository",
    ...idsOf("R", repository.id),
    name: repository.name,
    nameWithOwner: fullName(repository),
    description: repository.description,
    url: `${world.webUrl}/${fullName(repository)}`,
    isPrivate: repository.visibility === "private",
    visibility: repository.visibility.toUpperCase(),
    viewerCanAdminister: reachOf(world, context.viewer, repository) === "admin",
    isArchived: repository.isArchived,
    isFork: false,
    isEmpty: false,
    hasIssuesEnabled: repository.hasIssues,
    hasProjectsEnabled: repository.hasProjects,
    hasWikiEnabled: repository.hasWiki,
    hasDiscussionsEnabled: repository.hasDiscussions,
    createdAt: repository.createdAt,
    updatedAt: repository.updatedAt,
    pushedAt: repository.pushedAt,
    owner: () => actorObject(world, repository.owner),
    defaultBranchRef: () => ({ id: nodeId("REF", repository.id), name: defaultBranch(world, repository) }),
    ...threadFields(context, repository),
    ...discussionFields(context, repository),
    ...otherFields(context, repository),
  };
}

type Lister = (args: Arguments) => GraphqlObject;

function guarded(
  context: GraphqlContext,
  repository: Repository,
  permission: Permission,
  act: Lister,
): Lister {
  return (args) => {
    requirePermission(context, repository, permission);
    return act(args);
  };
}

function threadFields(context: GraphqlContext, repository: Repository): Record<string, unknown> {
  const records = context.world.records.of(repository);
  const render = (issue: Issue) => threadObject(context, repository, issue);
  const one = (kind: "Issue" | "PullRequest", args: Arguments) => {
    const issue = findIssue(records, Number(args.number));
    if (issue && isPull(issue) === (kind === "PullRequest")) return render(issue);
    throw new FieldError(
      "NOT_FOUND",
      `Could not resolve to ${kind === "Issue" ? "an Issue" : "a PullRequest"} with the number of ${args.number}.`,
    );
  };
  return {
    issues: guarded(context, repository, "issues", (args) => {
      // A feature that is switched off gives an empty list here, where REST returns 410.
      const all = repository.hasIssues ? records.issues.filter((issue) => !isPull(issue)) : [];
      return connection("issues", chosen(all, args), byId, render)(args);
    }),
    pullRequests: guarded(context, repository, "pull_requests", (args) => {
      const all = records.issues.filter(isPull);
      return connection("pullRequests", chosen(all, args), byId, render)(args);
    }),
    issue: guarded(context, repository, "issues", (args) => one("Issue", args)),
    pullRequest: guarded(context, repository, "pull_requests", (args) => one("PullRequest", args)),
  };
}

function discussionFields(context: GraphqlContext, repository: Repository): Record<string, unknown> {
  const records = context.world.records.of(repository);
  return {
    discussions: guarded(context, repository, "discussions", (args) => {
      const all = repository.hasDiscussions ? records.discussions : [];
      return connection("discussions", ordered(all, args), byId, (discussion) =>
        discussionObject(context, repository, discussion),
      )(args);
    }),
    discussion: guarded(context, repository, "discussions", (args) => {
      const found = records.discussions.find(({ number }) => number === args.number);
      if (found) return discussionObject(context, repository, found);
      throw new FieldError(
        "NOT_FOUND",
        `Could not resolve to a Discussion with the number of ${args.number}.`,
      );
    }),
    discussionCategories: (args: Arguments) =>
      connection(
        "discussionCategories",
        repository.hasDiscussions ? records.categories : [],
        byId,
        categoryObject,
      )(args),
  };
}

function otherFields(context: GraphqlContext, repository: Repository): Record<string, unknown> {
  const { world } = context;
  const records = world.records.of(repository);
  return {
    labels: connection("labels", records.labels, byId, (label) => labelObject(context, repository, label)),
    milestones: (args: Arguments) =>
      connection("milestones", chosen(records.milestones, args), byId, (milestone) =>
        milestoneObject(context, repository, milestone),
      )(args),
    releases: connection("releases", records.releases, byId, (release) => releaseObject(context, release)),
    commitComments: guarded(context, repository, "contents", (args) =>
      connection("commitComments", records.commitComments ?? [], byId, (comment) =>
        commitCommentObject(context, repository, comment),
      )(args),
    ),
    branchProtectionRules: guarded(context, repository, "administration", (args) =>
      connection("branchProtectionRules", protectionRules(context, repository), byId, protectionObject)(args),
    ),
    projectsV2: guarded(context, repository, "organization_projects", (args) =>
      connection("projectsV2", records.projects, byId, (project) =>
        projectObject(context, repository, project),
      )(args),
    ),
  };
}

/** Applies `states`, `filterBy` and `orderBy`. */
function chosen<T extends { id: number; state: string; createdAt: string; updatedAt: string }>(
  items: readonly T[],
  args: Arguments,
): T[] {
  const filter = (args.filterBy ?? {}) as { since?: string; states?: unknown };
  const states = [args.states ?? filter.states ?? []].flat().map(String);
  const from = filter.since === undefined ? null : Date.parse(String(filter.since));
  const stateOf = (item: T) => {
    const merged = (item as { pull?: { mergedAt: string | null } | null }).pull?.mergedAt;
    return merged ? "MERGED" : item.state.toUpperCase();
  };
  const found = items.filter(
    (item) =>
      (states.length === 0 || states.includes(stateOf(item))) &&
      (from === null || Date.parse(item.updatedAt) >= from),
  );
  return ordered(found, args);
}

/** Applies `orderBy`; the default is the order of creation. */
function ordered<T extends { id: number; createdAt: string; updatedAt: string }>(
  items: readonly T[],
  args: Arguments,
): T[] {
  const order = (args.orderBy ?? { field: "CREATED_AT", direction: "ASC" }) as Record<string, string>;
  const key = (item: T) => (order.field === "UPDATED_AT" ? item.updatedAt : item.createdAt);
  const sign = order.direction === "DESC" ? -1 : 1;
  return [...items].sort((a, b) => sign * (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : a.id - b.id));
}
