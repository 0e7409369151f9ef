import { z } from "zod";
import type { RestoreEvent } from "#connectors/contract/platform-connector.ts";
import { momentText } from "#connectors/toolkit/records/quote.ts";
import { openStage, type ReportLine, type RestoreStage } from "#connectors/toolkit/records/restore-stage.ts";
import { isOutOfReach } from "#connectors/toolkit/records/run-stages.ts";
import { paths } from "../client.ts";
import { type GitlabMergeRequest, mergeRequestSchema } from "../payloads.ts";
import { quoteGitlab } from "./quote-gitlab.ts";
import {
  assigneeFacts,
  countGroups,
  createdIssueSchema,
  findIssue,
  finishBody,
  groupsOf,
  type IssuablesRestore,
  restoreNotesOf,
  voteFacts,
} from "./restore-issues.ts";
import { isRefusal } from "./restore-refusal.ts";

/** Progress of the merge requests: the last one's path, the last new numbers, and how many became issues. */
type Position = { path: string; mergeIid: number; issueIid: number; asIssues: number };

const createdSchema = z.object({
  iid: z.int(),
  title: z.string(),
  source_branch: z.string(),
  web_url: z.string().nullish(),
});
/** What a merge request was restored as. */
type Created = { as: "merge-request" | "issue"; iid: number; url: string | null; wasThere: boolean };

const AS_ISSUES =
  "GitLab's API makes no merged requests, and none without both branches. Each is a closed issue with its text and comments; its commits are in git.";

/** The report line for merge requests that became issues. */
export function asIssuesLine(count: number): ReportLine {
  const what = `${count} merge ${count === 1 ? "request" : "requests"} as issues`;
  return { type: "changed", what, reason: AS_ISSUES };
}

/**
 * Restores merge requests. Open and closed ones become merge requests again if both branches were restored; merged ones
 * and those from forks become issues. GitLab assigns new numbers, so the report lists every number.
 *
 * @param branches Restored branches.
 * @param lastIssue The highest issue number in the new project.
 */
export async function* restoreMergeRequests(
  restore: IssuablesRestore,
  { branches, lastIssue }: { branches: ReadonlySet<string>; lastIssue: number },
): AsyncGenerator<RestoreEvent> {
  const { snapshot, journal, projectId } = restore;
  const stage = await openStage<Position>(journal, "merge-requests");
  if (!stage.isDone) {
    const total = await countGroups(snapshot, "merge-request");
    let at: Position = stage.at ?? { path: "", mergeIid: 0, issueIid: lastIssue, asIssues: 0 };
    const before = at.path;
    let mayBeThere = true;
    let done = 0;
    for await (const group of groupsOf(snapshot, "merge-request")) {
      done += 1;
      if (group.path <= before) continue;
      const progress = { phase: "Creating merge requests", done: done - 1, total, unit: "items" } as const;
      yield { type: "progress", progress };
      const source = mergeRequestSchema.parse(await snapshot.readRecord(group.path));
      const created = await findOrCreate(restore, { source, at, branches, mayBeThere });
      if ("refusal" in created) {
        const what = `Merge request !${source.iid} ${source.title}`;
        stage.tell({ type: "missing", what, reason: created.refusal });
        mayBeThere = true;
        continue;
      }
      mayBeThere = created.wasThere;
      const { iid } = created;
      const isReal = created.as === "merge-request";
      yield* restoreNotesOf(restore, stage, {
        group,
        thing: isReal ? paths.mergeRequest(projectId, iid) : paths.issue(projectId, iid),
        originUrl: source.web_url ?? null,
        mayBeThere: created.wasThere,
      });
      await finish(restore, source, created);
      reportNumber(stage, source, created);
      at = {
        path: group.path,
        mergeIid: isReal ? iid : at.mergeIid,
        issueIid: isReal ? at.issueIid : iid,
        asIssues: at.asIssues + (isReal ? 0 : 1),
      };
      await stage.step(at);
      yield { type: "checkpoint" };
    }
    if (at.asIssues > 0) stage.tell(asIssuesLine(at.asIssues));
    await stage.finish();
  }
  yield* stage.events();
}

type Order = {
  source: GitlabMergeRequest;
  at: Position;
  branches: ReadonlySet<string>;
  mayBeThere: boolean;
};

async function findOrCreate(restore: IssuablesRestore, order: Order): Promise<Created | { refusal: string }> {
  const { source, at, branches, mayBeThere } = order;
  if (mayBeThere) {
    const found = await findCreated(restore, source, at);
    if (found !== null) return found;
  }
  if (canBeReal(source, branches)) {
    const made = await createReal(restore, source);
    if (made !== null) return made;
  }
  try {
    return await createAsIssue(restore, source);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { refusal: error.message };
  }
}

/** Whether it can be restored as a merge request: never merged, and both its branches were restored. */
export function canBeReal(source: GitlabMergeRequest, branches: ReadonlySet<string>): boolean {
  const { state, source_branch, target_branch, source_project_id, target_project_id } = source;
  if (state !== "opened" && state !== "closed") return false;
  if (source_branch === target_branch) return false;
  // A fork's branch of the same name is a different branch.
  if (source_project_id != null && target_project_id != null && source_project_id !== target_project_id)
    return false;
  return branches.has(source_branch) && branches.has(target_branch);
}

/** Finds what an earlier attempt created but did not journal: it has the next number of its kind. */
async function findCreated(
  restore: IssuablesRestore,
  source: GitlabMergeRequest,
  at: Position,
): Promise<Created | null> {
  const { client, projectId } = restore;
  try {
    const path = paths.mergeRequest(projectId, at.mergeIid + 1);
    const found = await client.request({ method: "GET", path, about: "a new merge request" }, createdSchema);
    if (found.title === source.title && found.source_branch === source.source_branch) {
      return { as: "merge-request", iid: found.iid, url: found.web_url ?? null, wasThere: true };
    }
  } catch (error) {
    if (!isOutOfReach(error)) throw error;
  }
  const issue = await findIssue(restore, issueTitle(source), [at.issueIid + 1]);
  return issue && { as: "issue", iid: issue.iid, url: issue.web_url ?? null, wasThere: true };
}

async function createReal(restore: IssuablesRestore, source: GitlabMergeRequest): Promise<Created | null> {
  const { client, projectId, pace, milestones } = restore;
  await pace.beforeIssue();
  const milestoneId = source.milestone ? milestones.get(source.milestone.title) : undefined;
  const body = {
    source_branch: source.source_branch,
    target_branch: source.target_branch,
    title: source.title,
    description: description(restore, source),
    labels: source.labels.join(","),
    ...(source.squash == null ? {} : { squash: source.squash }),
    ...(milestoneId === undefined ? {} : { milestone_id: milestoneId }),
  };
  const call = {
    method: "POST",
    path: paths.mergeRequests(projectId),
    body,
    about: "a merge request",
  } as const;
  try {
    const made = await client.request({ ...call, missing: "forbidden" }, createdSchema);
    return { as: "merge-request", iid: made.iid, url: made.web_url ?? null, wasThere: false };
  } catch (error) {
    // E.g. a second open merge request between the same branches: it becomes an issue.
    if (!isRefusal(error)) throw error;
    return null;
  }
}

/** The body of the call that creates an issue for a merge request. */
export function asIssueBody(
  restore: Pick<IssuablesRestore, "session" | "milestones" | "rewrite">,
  source: GitlabMergeRequest,
) {
  const milestoneId = source.milestone ? restore.milestones.get(source.milestone.title) : undefined;
  return {
    title: issueTitle(source),
    description: description(restore, source),
    created_at: source.created_at,
    labels: source.labels.join(","),
    ...(milestoneId === undefined ? {} : { milestone_id: milestoneId }),
  };
}

async function createAsIssue(restore: IssuablesRestore, source: GitlabMergeRequest): Promise<Created> {
  const { client, projectId, pace } = restore;
  await pace.beforeIssue();
  const body = asIssueBody(restore, source);
  const call = { method: "POST", path: paths.issues(projectId), body, about: "an issue" } as const;
  const made = await client.request({ ...call, missing: "forbidden" }, createdIssueSchema);
  return { as: "issue", iid: made.iid, url: made.web_url ?? null, wasThere: false };
}

/** GitLab allows 255 characters. */
function issueTitle({ iid, title }: GitlabMergeRequest): string {
  return [...`Merge request !${iid}: ${title}`].slice(0, 255).join("");
}

function description(
  { session, rewrite }: Pick<IssuablesRestore, "session" | "rewrite">,
  source: GitlabMergeRequest,
): string {
  const { state, source_branch, target_branch, merged_at, merge_commit_sha } = source;
  const commit = merge_commit_sha ? ` as ${merge_commit_sha}` : "";
  const facts = [
    `Merge request !${source.iid} from \`${source_branch}\` into \`${target_branch}\`, ${state}.`,
    ...(merged_at ? [`Merged on ${momentText(merged_at)}${commit}.`] : []),
    ...assigneeFacts(source),
    ...voteFacts(source),
  ];
  const origin = {
    author: source.author?.username ?? null,
    at: source.created_at,
    url: source.web_url ?? null,
    facts,
  };
  return quoteGitlab(session.config, origin, rewrite(source.description ?? ""));
}

/** Closes it if it was not open, and locks it if it was locked. Idempotent. */
async function finish(
  { client, projectId }: IssuablesRestore,
  source: GitlabMergeRequest,
  { as, iid }: Created,
): Promise<void> {
  const body = finishRequestBody(source);
  if (Object.keys(body).length === 0) return;
  const path = as === "issue" ? paths.issue(projectId, iid) : paths.mergeRequest(projectId, iid);
  await client.send({ method: "PUT", path, body, about: "what was closed or locked", missing: "forbidden" });
}

/** The body that closes or locks a restored merge request, or the issue it became; empty = nothing to set. */
export function finishRequestBody({ state, discussion_locked }: GitlabMergeRequest): object {
  return finishBody({ state: state === "opened" ? "opened" : "closed", discussion_locked });
}

function reportNumber(stage: RestoreStage<Position>, source: GitlabMergeRequest, created: Created): void {
  stage.count(created.as);
  const to = `${created.as === "issue" ? "#" : "!"}${created.iid}`;
  const from = `!${source.iid}`;
  if (from !== to) stage.tell({ type: "mapped", kind: "merge-request", from, to, url: created.url });
}
