import { randomBytes } from "node:crypto";
import { findUser } from "./namespaces.ts";
import {
  type GitlabWorld,
  type Issuable,
  type Issue,
  type Note,
  nextId,
  nextIid,
  type Project,
  timestamp,
} from "./state.ts";

/** Creates an issue; `iid` defaults to the next free number. */
export function createIssue(
  world: GitlabWorld,
  project: Project,
  order: Pick<Issue, "title" | "authorId"> & Partial<Issue>,
): Issue {
  const now = timestamp();
  const createdAt = order.createdAt ?? now;
  const issue: Issue = {
    id: nextId(world.state),
    // Searching many issues for the next number is slow; callers may pass one.
    iid: order.iid ?? nextIid(project.issues),
    description: null,
    assigneeIds: [],
    labels: [],
    milestoneId: null,
    isDiscussionLocked: false,
    notes: [],
    awards: [],
    createdAt,
    updatedAt: order.createdAt ?? now,
    closedAt: null,
    closedById: null,
    state: "opened",
    type: "issue",
    isConfidential: false,
    dueDate: null,
    weight: null,
    timeEstimate: 0,
    timeSpent: 0,
    ...order,
  };
  project.issues.push(issue);
  world.save();
  return issue;
}

/** Creates a note; it starts a new discussion unless `discussionId` is given. */
export function makeNote(world: GitlabWorld, order: Pick<Note, "body" | "authorId"> & Partial<Note>): Note {
  const now = timestamp();
  return {
    id: nextId(world.state),
    discussionId: randomBytes(20).toString("hex"),
    type: null,
    isSystem: false,
    isInternal: false,
    isResolved: null,
    resolvedById: null,
    position: null,
    awards: [],
    createdAt: order.createdAt ?? now,
    updatedAt: order.createdAt ?? now,
    ...order,
  };
}

/** Adds GitLab's own note about a change. */
export function addSystemNote(world: GitlabWorld, issuable: Issuable, authorId: number, body: string): void {
  issuable.notes.push(makeNote(world, { body, authorId, isSystem: true }));
}

type Changeable = Pick<Issuable, "labels" | "milestoneId"> & { state: string };
/** An issue or merge request before anything was set. */
const BLANK: Changeable = { labels: [], milestoneId: null, state: "opened" };

/** Copies what resource events are about, to compare it after a change. */
export function changeableOf({ labels, milestoneId, state }: Changeable): Changeable {
  return { labels: [...labels], milestoneId, state };
}

/**
 * Adds the resource events for what changed since `before`; without it, since the creation. GitLab has none for the
 * first state (docs.gitlab.com: resource state events).
 */
export function addEvents(
  world: GitlabWorld,
  issuable: Issuable & { state: string },
  {
    userId,
    before = BLANK,
    createdAt = timestamp(),
  }: { userId: number; before?: Changeable; createdAt?: string },
): void {
  const { labels, milestoneId, state } = issuable;
  const event = () => ({ id: nextId(world.state), userId, createdAt });
  issuable.events ??= [];
  for (const label of before.labels.filter((name) => !labels.includes(name)))
    issuable.events.push({ ...event(), type: "label", label, action: "remove" });
  for (const label of labels.filter((name) => !before.labels.includes(name)))
    issuable.events.push({ ...event(), type: "label", label, action: "add" });
  if (milestoneId !== before.milestoneId) {
    if (before.milestoneId !== null)
      issuable.events.push({
        ...event(),
        type: "milestone",
        milestoneId: before.milestoneId,
        action: "remove",
      });
    if (milestoneId !== null)
      issuable.events.push({ ...event(), type: "milestone", milestoneId, action: "add" });
  }
  if (state === before.state) return;
  if (state === "closed" || state === "merged") issuable.events.push({ ...event(), type: "state", state });
  if (state === "opened") issuable.events.push({ ...event(), type: "state", state: "reopened" });
}

/** Closes or reopens. */
export function setState(
  issuable: Issuable & { state: string },
  event: "close" | "reopen",
  userId: number,
): void {
  if (event === "close" && issuable.state === "opened") {
    issuable.state = "closed";
    issuable.closedAt = timestamp();
    issuable.closedById = userId;
  }
  if (event === "reopen" && issuable.state === "closed") {
    issuable.state = "opened";
    issuable.closedAt = null;
    issuable.closedById = null;
  }
}

/** The quick actions in a text, and the text without them. */
export type QuickActions = {
  text: string;
  events: ("close" | "reopen")[];
  title: string | null;
  labels: string[];
};

/**
 * Extracts quick actions: GitLab runs a line `/close` in a comment or description and removes it, except in a code
 * block. A restore that posts texts unchanged would trigger this.
 */
export function takeQuickActions(text: string): QuickActions {
  const actions: QuickActions = { text: "", events: [], title: null, labels: [] };
  let isCode = false;
  const kept = text.split("\n").filter((line) => {
    if (/^\s*(```|~~~)/.test(line)) isCode = !isCode;
    if (isCode) return true;
    const [, command, rest = ""] = /^\/(close|reopen|title|label)(?:\s+(.*))?\s*$/.exec(line) ?? [];
    switch (command) {
      case "close":
      case "reopen":
        actions.events.push(command);
        return false;
      case "title":
        actions.title = rest.trim() || null;
        return false;
      case "label":
        actions.labels.push(
          ...[...rest.matchAll(/~"([^"]+)"|~(\S+)/g)].map((match) => match[1] ?? match[2] ?? ""),
        );
        return false;
      default:
        return true;
    }
  });
  actions.text = kept.join("\n");
  return actions;
}

/** Records whom a text notifies: every user it mentions outside code. */
export function notify(world: GitlabWorld, authorId: number, where: string, text: string | null): void {
  const plain = (text ?? "").replace(/```[\s\S]*?```|`[^`]*`/g, " ");
  for (const [, username = ""] of plain.matchAll(/(?:^|[^\w@])@([A-Za-z0-9_][A-Za-z0-9_.-]*)/g)) {
    const user = findUser(world, username.replace(/[.-]+$/, ""));
    if (user && user.id !== authorId) world.state.notifications.push({ username: user.username, where });
  }
}
