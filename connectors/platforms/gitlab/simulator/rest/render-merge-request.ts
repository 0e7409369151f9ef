import { codeDirectory } from "../projects.ts";
import type { GitlabWorld, MergeRequest, Project } from "../state.ts";
import type { Body } from "./answers.ts";
import { readDiffs } from "./read-diffs.ts";
import { renderIssuable } from "./render-issuable.ts";
import { renderUserBrief, renderUserOrNull } from "./render-users.ts";

/** A merge request. A single read also shows its change count and commits. */
export function renderMergeRequest(
  world: GitlabWorld,
  project: Project,
  request: MergeRequest,
  options: { hasLabelDetails?: boolean; isSingle?: boolean } = {},
): Body {
  const version = request.versions[0];
  const isDraft = /^(draft:|\[draft\]|\(draft\))/i.test(request.title);
  const hasLabelDetails = options.hasLabelDetails === true;
  return {
    ...renderIssuable(world, project, request, { sign: "!", part: "merge_requests", hasLabelDetails }),
    merged_by: renderUserOrNull(world, request.mergedById),
    merge_user: renderUserOrNull(world, request.mergedById),
    merged_at: request.mergedAt,
    target_branch: request.targetBranch,
    source_branch: request.sourceBranch,
    reviewers: request.reviewerIds.map((id) => renderUserBrief(world, id)),
    source_project_id: project.id,
    target_project_id: project.id,
    draft: isDraft,
    work_in_progress: isDraft,
    merge_when_pipeline_succeeds: false,
    merge_status: request.state === "opened" ? "can_be_merged" : "unchecked",
    detailed_merge_status: request.state === "opened" ? "mergeable" : "not_open",
    merge_after: null,
    sha: request.sha,
    merge_commit_sha: request.mergeCommitSha,
    squash_commit_sha: null,
    should_remove_source_branch: null,
    force_remove_source_branch: request.removesSourceBranch,
    prepared_at: request.createdAt,
    reference: `!${request.iid}`,
    time_stats: {
      time_estimate: 0,
      total_time_spent: 0,
      human_time_estimate: null,
      human_total_time_spent: null,
    },
    squash: request.isSquash,
    squash_on_merge: request.isSquash,
    has_conflicts: false,
    blocking_discussions_resolved: request.notes.every(({ isResolved }) => isResolved !== false),
    approvals_before_merge: null,
    ...(options.isSingle
      ? {
          subscribed: true,
          changes_count: String(readChanges(world, project, request).length),
          latest_build_started_at: null,
          latest_build_finished_at: null,
          first_deployed_to_production_at: null,
          pipeline: null,
          head_pipeline: null,
          diff_refs: {
            base_sha: version?.base ?? "",
            head_sha: request.sha,
            start_sha: version?.base ?? "",
          },
          merge_error: null,
          first_contribution: false,
          user: { can_merge: true },
        }
      : {}),
  };
}

/** The changes of a merge request by file. */
export function readChanges(world: GitlabWorld, project: Project, request: MergeRequest): Body[] {
  const base = request.versions[0]?.base ?? "";
  if (base === "" || base === request.sha) return [];
  return readDiffs(codeDirectory(world, project), base, request.sha);
}
