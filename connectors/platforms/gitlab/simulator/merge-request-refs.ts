import { runGit } from "#connectors/toolkit/simulator/run-git.ts";
import { listRefs, resolveCommit } from "./bare.ts";
import { codeDirectory } from "./projects.ts";
import { type GitlabWorld, type MergeRequest, nextId, nextIid, type Project, timestamp } from "./state.ts";

/** The merge base of two commits, or an empty string. */
export function mergeBase(directory: string, one: string, other: string): string {
  try {
    return runGit(directory, ["merge-base", one, other]).trim();
  } catch {
    return "";
  }
}

/**
 * Follows the source branches of open merge requests. A moved branch adds a version, and
 * `refs/merge-requests/<iid>/head` and `refs/keep-around/<commit>` keep its commits permanently.
 */
export function followSourceBranches(world: GitlabWorld, project: Project): void {
  const directory = codeDirectory(world, project);
  const heads = new Map(listRefs(directory, "refs/heads/").map(({ name, commit }) => [name, commit]));
  for (const request of project.mergeRequests) {
    const head = heads.get(request.sourceBranch);
    if (request.state !== "opened" || head === undefined || head === request.sha) continue;
    recordVersion(world, project, request, head);
    request.updatedAt = timestamp();
  }
}

/** Records a new head of a merge request and sets the refs that keep it. */
export function recordVersion(
  world: GitlabWorld,
  project: Project,
  request: MergeRequest,
  head: string,
): void {
  const directory = codeDirectory(world, project);
  const target = resolveCommit(directory, request.targetBranch);
  const base = target === null ? "" : mergeBase(directory, head, target);
  request.sha = head;
  request.versions.unshift({ id: nextId(world.state), head, base, createdAt: timestamp() });
  runGit(directory, ["update-ref", `refs/merge-requests/${request.iid}/head`, head]);
  runGit(directory, ["update-ref", `refs/keep-around/${head}`, head]);
  world.save();
}

/** Creates a merge request between two existing branches. */
export function createMergeRequest(
  world: GitlabWorld,
  project: Project,
  order: Pick<MergeRequest, "title" | "authorId" | "sourceBranch" | "targetBranch"> & Partial<MergeRequest>,
): MergeRequest {
  const now = order.createdAt ?? timestamp();
  const request: MergeRequest = {
    id: nextId(world.state),
    iid: nextIid(project.mergeRequests),
    description: null,
    assigneeIds: [],
    labels: [],
    milestoneId: null,
    isDiscussionLocked: false,
    notes: [],
    awards: [],
    createdAt: now,
    updatedAt: now,
    closedAt: null,
    closedById: null,
    state: "opened",
    sha: "",
    mergeCommitSha: null,
    mergedAt: null,
    mergedById: null,
    reviewerIds: [],
    approvals: [],
    versions: [],
    isSquash: false,
    removesSourceBranch: false,
    ...order,
  };
  project.mergeRequests.push(request);
  const head = resolveCommit(codeDirectory(world, project), `refs/heads/${request.sourceBranch}`);
  if (head !== null) recordVersion(world, project, request, head);
  return request;
}
