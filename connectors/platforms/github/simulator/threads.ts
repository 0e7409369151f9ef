import type {
  Issue,
  IssueComment,
  IssueEvent,
  Label,
  PullFacts,
  Reaction,
  ReactionContent,
  RepositoryRecords,
  StateReason,
} from "./records.ts";
import { type GithubWorld, nextId, timestamp } from "./state.ts";

/** Longest text that GitHub stores: 65,536 characters. */
export const BODY_LIMIT = 65_536;

/** What every change to a thread works with. */
export type ThreadWork = { world: GithubWorld; records: RepositoryRecords; login: string };

/** Finds an issue or pull request by its number. */
export function findIssue(records: RepositoryRecords, number: number): Issue | null {
  return records.issues.find((issue) => issue.number === number) ?? null;
}

/** Takes the next number of the sequence that issues, pull requests and discussions share. */
export function takeNumber(records: RepositoryRecords): number {
  const number = records.nextNumber;
  records.nextNumber += 1;
  return number;
}

/** Opens an issue, or a pull request when `pull` is set. */
export function openIssue(
  { world, records, login }: ThreadWork,
  order: { title: string; pull?: PullFacts } & Partial<Issue>,
): Issue {
  const now = timestamp();
  const issue: Issue = {
    id: nextId(world.state),
    number: takeNumber(records),
    body: null,
    author: login,
    state: "open",
    stateReason: null,
    labelIds: [],
    assignees: [],
    milestone: null,
    isLocked: false,
    lockReason: null,
    createdAt: now,
    updatedAt: order.createdAt ?? now,
    closedAt: null,
    closedBy: null,
    reactions: [],
    commentCount: 0,
    pull: null,
    ...order,
  };
  records.issues.push(issue);
  return issue;
}

/** Adds a comment to an issue, which also updates the issue. */
export function addComment(
  { world, records, login }: ThreadWork,
  issue: Issue,
  order: { body: string } & Partial<IssueComment>,
): IssueComment {
  const now = timestamp();
  const comment: IssueComment = {
    id: nextId(world.state),
    issue: issue.number,
    author: login,
    createdAt: now,
    updatedAt: order.createdAt ?? now,
    reactions: [],
    ...order,
  };
  records.comments.push(comment);
  issue.commentCount += 1;
  touch(issue, comment.createdAt);
  return comment;
}

/** Records an event of an issue. */
export function addEvent(
  { world, records, login }: ThreadWork,
  issue: Issue,
  event: string,
  details: Record<string, unknown> = {},
  createdAt: string = timestamp(),
): IssueEvent {
  const added = { id: nextId(world.state), issue: issue.number, event, actor: login, createdAt, details };
  records.events.push(added);
  touch(issue, createdAt);
  return added;
}

/** Updates `updatedAt`, which never goes back. */
export function touch(issue: { updatedAt: string }, at: string = timestamp()): void {
  if (at > issue.updatedAt) issue.updatedAt = at;
}

/** Closes or reopens an issue, with its event. */
export function setState(
  work: ThreadWork,
  issue: Issue,
  state: "open" | "closed",
  reason: StateReason | null,
): void {
  if (issue.state === state) return;
  issue.state = state;
  issue.closedAt = state === "closed" ? timestamp() : null;
  issue.closedBy = state === "closed" ? work.login : null;
  issue.stateReason = issue.pull ? null : (reason ?? (state === "closed" ? "completed" : "reopened"));
  addEvent(work, issue, state === "closed" ? "closed" : "reopened", { state_reason: issue.stateReason });
}

/** Sets an issue's labels, with an event for each that is added or removed. */
export function setLabels(work: ThreadWork, issue: Issue, labels: readonly Label[]): void {
  const wanted = labels.map(({ id }) => id);
  const detail = ({ name, color }: Label) => ({ label: { name, color } });
  for (const label of labels) {
    if (!issue.labelIds.includes(label.id)) addEvent(work, issue, "labeled", detail(label));
  }
  for (const id of issue.labelIds) {
    const label = work.records.labels.find((known) => known.id === id);
    if (label && !wanted.includes(id)) addEvent(work, issue, "unlabeled", detail(label));
  }
  issue.labelIds = [...new Set(wanted)];
}

/** Finds labels by name, ignoring case. Missing labels are created, as GitHub does for people who may push. */
export function labelsByName({ world, records }: ThreadWork, names: readonly string[]): Label[] {
  return names.map((name) => {
    const known = records.labels.find((label) => label.name.toLowerCase() === name.toLowerCase());
    if (known) return known;
    const made: Label = {
      id: nextId(world.state),
      name,
      color: "ededed",
      description: null,
      isDefault: false,
    };
    records.labels.push(made);
    return made;
  });
}

/** Adds a reaction. A person can add each reaction only once. */
export function react(
  { world, login }: Pick<ThreadWork, "world" | "login">,
  thing: { reactions: Reaction[] },
  content: ReactionContent,
): { reaction: Reaction; isNew: boolean } {
  const known = thing.reactions.find((reaction) => reaction.login === login && reaction.content === content);
  if (known) return { reaction: known, isNew: false };
  const reaction = { id: nextId(world.state), login, content, createdAt: timestamp() };
  thing.reactions.push(reaction);
  return { reaction, isNew: true };
}

/** Deletes an issue with everything that belongs to it. Its number is never reused and returns 410. */
export function deleteIssue(records: RepositoryRecords, number: number): boolean {
  const issue = findIssue(records, number);
  if (!issue) return false;
  records.issues = records.issues.filter((known) => known !== issue);
  records.comments = records.comments.filter((comment) => comment.issue !== number);
  records.events = records.events.filter((event) => event.issue !== number);
  records.reviews = records.reviews.filter((review) => review.pull !== number);
  records.reviewComments = records.reviewComments.filter((comment) => comment.pull !== number);
  for (const project of records.projects) {
    project.items = project.items.filter((item) => item.number !== number);
  }
  records.goneNumbers.push(number);
  return true;
}
