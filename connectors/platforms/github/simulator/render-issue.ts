import type { Issue, IssueComment, IssueEvent, Label, Milestone, Reaction } from "./records.ts";
import { REACTIONS } from "./records.ts";
import { type Body, nodeId, renderSimpleUser } from "./render.ts";
import { fullName } from "./repositories.ts";
import { type Account, findAccount, type GithubWorld, type Repository } from "./state.ts";

/** API URL of a repository. */
export function repositoryUrl(world: GithubWorld, repository: Repository): string {
  return `${world.apiUrl}/repos/${fullName(repository)}`;
}

/** A person by login. Deleted accounts become `ghost`; the App's account is a bot. */
export function renderLogin(world: GithubWorld, login: string): Body {
  const account = findAccount(world, login);
  if (account) return renderSimpleUser(world, account);
  const isBot = login.endsWith("[bot]");
  const stranger: Account = {
    id: isBot ? 41_898_282 : 10_137,
    type: "User",
    login: isBot ? login : "ghost",
    name: "",
    description: null,
    email: null,
    location: null,
    createdAt: "2012-01-01T00:00:00Z",
    members: {},
    isSsoEnforced: false,
  };
  return { ...renderSimpleUser(world, stranger), ...(isBot ? { type: "Bot" } : {}) };
}

/** A person's association with a repository. */
export function association(world: GithubWorld, repository: Repository, login: string): string {
  if (repository.owner === login) return "OWNER";
  if (findAccount(world, repository.owner)?.members[login] !== undefined) return "MEMBER";
  const { collaborators } = world.records.of(repository).settings;
  return collaborators.some((known) => known.login === login) ? "COLLABORATOR" : "NONE";
}

/** Reaction counts. */
export function renderRollup(url: string, reactions: readonly Reaction[]): Body {
  const sums = REACTIONS.map((content) => [
    content,
    reactions.filter((reaction) => reaction.content === content).length,
  ]);
  return { url: `${url}/reactions`, total_count: reactions.length, ...Object.fromEntries(sums) };
}

/** One reaction. */
export function renderReaction(world: GithubWorld, reaction: Reaction): Body {
  return {
    id: reaction.id,
    node_id: nodeId("REA", reaction.id),
    user: renderLogin(world, reaction.login),
    content: reaction.content,
    created_at: reaction.createdAt,
  };
}

/** A label. */
export function renderLabel(world: GithubWorld, repository: Repository, label: Label): Body {
  return {
    id: label.id,
    node_id: nodeId("LA", label.id),
    url: `${repositoryUrl(world, repository)}/labels/${encodeURIComponent(label.name)}`,
    name: label.name,
    color: label.color,
    default: label.isDefault,
    description: label.description,
  };
}

/** A milestone with its counts. */
export function renderMilestone(world: GithubWorld, repository: Repository, milestone: Milestone): Body {
  const url = `${repositoryUrl(world, repository)}/milestones/${milestone.number}`;
  const within = world.records.of(repository).issues.filter((issue) => issue.milestone === milestone.number);
  const open = within.filter(({ state }) => state === "open").length;
  return {
    url,
    html_url: `${world.webUrl}/${fullName(repository)}/milestone/${milestone.number}`,
    labels_url: `${url}/labels`,
    id: milestone.id,
    node_id: nodeId("MI", milestone.id),
    number: milestone.number,
    title: milestone.title,
    description: milestone.description,
    creator: renderLogin(world, milestone.creator),
    open_issues: open,
    closed_issues: within.length - open,
    state: milestone.state,
    created_at: milestone.createdAt,
    updated_at: milestone.updatedAt,
    due_on: milestone.dueOn,
    closed_at: milestone.closedAt,
  };
}

/** The labels of an issue. Deleted labels are omitted. */
export function renderLabels(world: GithubWorld, repository: Repository, ids: readonly number[]): Body[] {
  const { labels } = world.records.of(repository);
  return ids.flatMap((id) => {
    const label = labels.find((known) => known.id === id);
    return label ? [renderLabel(world, repository, label)] : [];
  });
}

/** Fields that issues and pull requests share. */
export function renderThread(world: GithubWorld, repository: Repository, issue: Issue): Body {
  const { milestones } = world.records.of(repository);
  const milestone = milestones.find(({ number }) => number === issue.milestone);
  const [assignee] = issue.assignees;
  return {
    number: issue.number,
    state: issue.state,
    locked: issue.isLocked,
    active_lock_reason: issue.lockReason,
    title: issue.title,
    body: issue.body,
    user: renderLogin(world, issue.author),
    labels: renderLabels(world, repository, issue.labelIds),
    assignee: assignee === undefined ? null : renderLogin(world, assignee),
    assignees: issue.assignees.map((login) => renderLogin(world, login)),
    milestone: milestone ? renderMilestone(world, repository, milestone) : null,
    created_at: issue.createdAt,
    updated_at: issue.updatedAt,
    closed_at: issue.closedAt,
    author_association: association(world, repository, issue.author),
  };
}

/** An issue. A pull request rendered as an issue has `pull_request`. Only single issues have `closed_by`. */
export function renderIssue(
  world: GithubWorld,
  repository: Repository,
  issue: Issue,
  view: "list" | "single" = "list",
): Body {
  const base = repositoryUrl(world, repository);
  const url = `${base}/issues/${issue.number}`;
  const path = issue.pull ? "pull" : "issues";
  const htmlUrl = `${world.webUrl}/${fullName(repository)}/${path}/${issue.number}`;
  const body: Body = {
    url,
    repository_url: base,
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    html_url: htmlUrl,
    id: issue.id,
    node_id: issue.pull ? nodeId("PR", issue.pull.id) : nodeId("I", issue.id),
    ...renderThread(world, repository, issue),
    comments: issue.commentCount,
    reactions: renderRollup(url, issue.reactions),
    timeline_url: `${url}/timeline`,
    performed_via_github_app: null,
    state_reason: issue.stateReason,
    ...relations(world, repository, issue),
  };
  if (issue.pull) {
    body.draft = issue.pull.isDraft;
    body.pull_request = {
      url: `${base}/pulls/${issue.number}`,
      html_url: htmlUrl,
      diff_url: `${htmlUrl}.diff`,
      patch_url: `${htmlUrl}.patch`,
      merged_at: issue.pull.mergedAt,
    };
  }
  if (view === "single") body.closed_by = issue.closedBy ? renderLogin(world, issue.closedBy) : null;
  return body;
}

/** The parent of an issue, and how many sub-issues and dependencies it has (GitHub's OpenAPI document). */
function relations(world: GithubWorld, repository: Repository, issue: Issue): Body {
  const { issues } = world.records.of(repository);
  const children = issues.filter(({ parent }) => parent === issue.number);
  const completed = children.filter(({ state }) => state === "closed").length;
  const blocking = issues.filter(({ blockedBy }) => blockedBy?.includes(issue.number)).length;
  const blocked = issue.blockedBy?.length ?? 0;
  const percent = children.length === 0 ? 0 : Math.floor((completed / children.length) * 100);
  return {
    sub_issues_summary: { total: children.length, completed, percent_completed: percent },
    issue_dependencies_summary: {
      ...{ blocked_by: blocked, total_blocked_by: blocked, blocking, total_blocking: blocking },
    },
    ...(issue.parent !== undefined && {
      parent_issue_url: `${repositoryUrl(world, repository)}/issues/${issue.parent}`,
    }),
  };
}

/** A comment on an issue or pull request. */
export function renderComment(world: GithubWorld, repository: Repository, comment: IssueComment): Body {
  const base = repositoryUrl(world, repository);
  const url = `${base}/issues/comments/${comment.id}`;
  const issue = world.records.of(repository).issues.find(({ number }) => number === comment.issue);
  const path = issue?.pull ? "pull" : "issues";
  return {
    url,
    html_url: `${world.webUrl}/${fullName(repository)}/${path}/${comment.issue}#issuecomment-${comment.id}`,
    issue_url: `${base}/issues/${comment.issue}`,
    id: comment.id,
    node_id: nodeId("IC", comment.id),
    user: renderLogin(world, comment.author),
    created_at: comment.createdAt,
    updated_at: comment.updatedAt,
    author_association: association(world, repository, comment.author),
    body: comment.body,
    reactions: renderRollup(url, comment.reactions),
    performed_via_github_app: null,
    minimized: comment.minimizedAs === undefined ? null : { reason: comment.minimizedAs },
  };
}

const PEOPLE = ["assignee", "assigner", "requested_reviewer", "review_requester"];

/** An event of an issue. */
export function renderEvent(world: GithubWorld, repository: Repository, event: IssueEvent): Body {
  const details = Object.entries(event.details).map(([key, value]) => [
    key,
    PEOPLE.includes(key) ? renderLogin(world, String(value)) : value,
  ]);
  return {
    id: event.id,
    node_id: nodeId("EV", event.id),
    url: `${repositoryUrl(world, repository)}/issues/events/${event.id}`,
    actor: renderLogin(world, event.actor),
    event: event.event,
    commit_id: null,
    commit_url: null,
    created_at: event.createdAt,
    performed_via_github_app: null,
    ...Object.fromEntries(details),
  };
}
