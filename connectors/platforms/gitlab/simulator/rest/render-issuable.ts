import { groupPath } from "../namespaces.ts";
import { labelsIn, milestoneIn, type SeenLabel } from "../project-records.ts";
import { fullPath } from "../projects.ts";
import type { AwardEmoji, GitlabWorld, Group, Issuable, Issue, Milestone, Note, Project } from "../state.ts";
import type { Body } from "./answers.ts";
import { renderUserBrief, renderUserOrNull } from "./render-users.ts";

/** A milestone of a project or of a group. */
export function renderMilestone(
  world: GitlabWorld,
  milestone: Milestone,
  place: { project: Project } | { group: Group },
): Body {
  const isProject = "project" in place;
  const path = isProject ? fullPath(world, place.project) : `groups/${groupPath(world, place.group)}`;
  const isOver = milestone.dueDate !== null && Date.parse(milestone.dueDate) + 86_400_000 < Date.now();
  return {
    id: milestone.id,
    iid: milestone.iid,
    ...(isProject ? { project_id: place.project.id } : { group_id: place.group.id }),
    title: milestone.title,
    description: milestone.description,
    state: milestone.state,
    created_at: milestone.createdAt,
    updated_at: milestone.updatedAt,
    due_date: milestone.dueDate,
    start_date: milestone.startDate,
    expired: isOver,
    web_url: `${world.url}/${path}/-/milestones/${milestone.iid}`,
  };
}

/** A milestone by its id, as issues show it. */
export function renderMilestoneOf(world: GitlabWorld, project: Project, id: number | null): Body | null {
  const found = milestoneIn(world, project, id);
  if (!found) return null;
  return renderMilestone(world, found.milestone, found.group ? { group: found.group } : { project });
}

/** A label as `with_labels_details` shows it. */
export function renderLabelBrief(label: SeenLabel): Body {
  return {
    id: label.id,
    name: label.name,
    description: label.description,
    description_html: label.description ?? "",
    text_color: "#FFFFFF",
    color: label.color,
    archived: false,
  };
}

/** The fields that issues and merge requests share. `sign` is `#` or `!`. */
export function renderIssuable(
  world: GitlabWorld,
  project: Project,
  issuable: Issuable & { state: string },
  options: { sign: "#" | "!"; part: "issues" | "merge_requests"; hasLabelDetails: boolean },
): Body {
  const path = fullPath(world, project);
  const labels = options.hasLabelDetails
    ? labelsIn(world, project)
        .filter(({ name }) => issuable.labels.includes(name))
        .map(renderLabelBrief)
    : [...issuable.labels].sort();
  const reference = `${options.sign}${issuable.iid}`;
  return {
    id: issuable.id,
    iid: issuable.iid,
    project_id: project.id,
    title: issuable.title,
    description: issuable.description,
    state: issuable.state,
    created_at: issuable.createdAt,
    updated_at: issuable.updatedAt,
    closed_at: issuable.closedAt,
    closed_by: renderUserOrNull(world, issuable.closedById),
    labels,
    milestone: renderMilestoneOf(world, project, issuable.milestoneId),
    assignees: issuable.assigneeIds.map((id) => renderUserBrief(world, id)),
    assignee: renderUserOrNull(world, issuable.assigneeIds[0]),
    author: renderUserBrief(world, issuable.authorId),
    user_notes_count: issuable.notes.filter(({ isSystem }) => !isSystem).length,
    upvotes: issuable.awards.filter(({ name }) => name === "thumbsup").length,
    downvotes: issuable.awards.filter(({ name }) => name === "thumbsdown").length,
    discussion_locked: issuable.isDiscussionLocked ? true : null,
    references: { short: reference, relative: reference, full: `${path}${reference}` },
    web_url: `${world.url}/${path}/-/${options.part}/${issuable.iid}`,
    task_completion_status: { count: 0, completed_count: 0 },
    imported: false,
    imported_from: "none",
  };
}

/** An issue. */
export function renderIssue(
  world: GitlabWorld,
  project: Project,
  issue: Issue,
  hasLabelDetails: boolean,
): Body {
  const api = `${world.url}/api/v4/projects/${project.id}`;
  return {
    ...renderIssuable(world, project, issue, { sign: "#", part: "issues", hasLabelDetails }),
    type: issue.type.toUpperCase(),
    issue_type: issue.type,
    confidential: issue.isConfidential,
    due_date: issue.dueDate,
    weight: issue.weight,
    blocking_issues_count: 0,
    merge_requests_count: 0,
    has_tasks: false,
    task_status: "",
    severity: "UNKNOWN",
    moved_to_id: null,
    service_desk_reply_to: null,
    epic_iid: null,
    epic: null,
    iteration: null,
    health_status: null,
    start_date: null,
    time_stats: {
      time_estimate: issue.timeEstimate,
      total_time_spent: issue.timeSpent,
      human_time_estimate: null,
      human_total_time_spent: null,
    },
    _links: {
      self: `${api}/issues/${issue.iid}`,
      notes: `${api}/issues/${issue.iid}/notes`,
      award_emoji: `${api}/issues/${issue.iid}/award_emoji`,
      project: api,
      closed_as_duplicate_of: null,
    },
  };
}

/** A note. */
export function renderNote(
  world: GitlabWorld,
  note: Note,
  of: {
    kind: "Issue" | "MergeRequest" | "Snippet";
    id: number;
    iid: number | null;
    projectId: number | null;
  },
): Body {
  return {
    id: note.id,
    type: note.type,
    body: note.body,
    author: renderUserBrief(world, note.authorId),
    created_at: note.createdAt,
    updated_at: note.updatedAt,
    system: note.isSystem,
    noteable_id: of.id,
    noteable_type: of.kind,
    project_id: of.projectId,
    ...(note.position ? { position: note.position, commit_id: null } : {}),
    resolvable: note.isResolved !== null,
    ...(note.isResolved === null
      ? {}
      : {
          resolved: note.isResolved,
          resolved_by: renderUserOrNull(world, note.resolvedById),
          resolved_at: null,
        }),
    confidential: note.isInternal,
    internal: note.isInternal,
    imported: false,
    imported_from: "none",
    noteable_iid: of.iid,
    commands_changes: {},
  };
}

/** An emoji reaction. */
export function renderAward(world: GitlabWorld, award: AwardEmoji, on: { id: number; type: string }): Body {
  return {
    id: award.id,
    name: award.name,
    user: renderUserBrief(world, award.userId),
    created_at: award.createdAt,
    updated_at: award.updatedAt,
    awardable_id: on.id,
    awardable_type: on.type,
    url: null,
  };
}
