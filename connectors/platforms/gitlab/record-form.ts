import type { Json } from "#core/kernel/canonical-json.ts";

/** Fields that change by themselves, describe us instead of the thing, or are API URLs. */
const VOLATILE = new Set([
  "_links",
  "avatar_url",
  "subscribed",
  "upvotes",
  "downvotes",
  "user_notes_count",
  "merge_requests_count",
  "blocking_issues_count",
  "has_tasks",
  "task_status",
  "task_completion_status",
  "time_ago",
  "expired",
  "merge_status",
  "detailed_merge_status",
  "has_conflicts",
  "merge_error",
  "user",
  "pipeline",
  "head_pipeline",
  "diverged_commits_count",
  "rebase_in_progress",
  "first_contribution",
  "blocking_discussions_resolved",
  "changes_count",
  "latest_build_started_at",
  "latest_build_finished_at",
  "first_deployed_to_production_at",
  "prepared_at",
  "open_issues_count",
  "closed_issues_count",
  "open_merge_requests_count",
  "commands_changes",
  "upcoming_release",
  "evidences",
  "commit_path",
  "tag_path",
  "alert_status",
  "disabled_until",
  "next_run_at",
  "last_pipeline",
  "last_used_at",
  "rendered_link_url",
  "rendered_image_url",
]);
/** Fields that are never stored. */
const SECRET = new Set(["token", "runners_token", "value", "email", "public_email", "custom_headers"]);

/**
 * GitLab's JSON without volatile and secret fields, so that equal content gives equal bytes. Users are reduced to id,
 * username and name: their state and picture change without an edit of the thing.
 */
export function recordForm(value: unknown): Json {
  if (Array.isArray(value)) return value.map(recordForm);
  if (value === null || typeof value !== "object") {
    return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
      ? value
      : null;
  }
  if ("username" in value && "name" in value && "id" in value && !("access_level" in value)) {
    return { id: recordForm(value.id), username: recordForm(value.username), name: recordForm(value.name) };
  }
  const kept: { [key: string]: Json } = {};
  for (const [key, member] of Object.entries(value)) {
    if (member !== undefined && !VOLATILE.has(key) && !SECRET.has(key)) kept[key] = recordForm(member);
  }
  return kept;
}

/** An issue or merge request. Its milestone is stored as a reference, because milestones have their own records. */
export function issuableForm(value: { milestone?: { id: number; title: string } | null | undefined }): {
  [key: string]: Json;
} {
  const { milestone } = value;
  const reference = milestone ? { id: milestone.id, title: milestone.title } : null;
  return { ...(recordForm({ ...value, milestone: null }) as { [key: string]: Json }), milestone: reference };
}
