import { fieldOfKind } from "./field-kinds.ts";
import { nextId, rankBetween } from "./ids.ts";
import { editIssue } from "./issues.ts";
import type { Board, Issue, JiraWorld, Site, Sprint } from "./state.ts";

/** Makes a sprint that has not begun. */
export function createSprint(
  world: JiraWorld,
  site: Site,
  order: {
    board: Board;
    name: string;
    goal?: string;
    startAt?: number | null;
    endAt?: number | null;
    at?: number;
  },
): Sprint {
  const sprint: Sprint = {
    id: nextId(site, "sprint"),
    boardId: order.board.id,
    name: order.name,
    state: "future",
    goal: order.goal ?? "",
    startAt: order.startAt ?? null,
    endAt: order.endAt ?? null,
    completedAt: null,
    createdAt: order.at ?? Date.now(),
  };
  site.sprints.push(sprint);
  world.save();
  return sprint;
}

/** Puts issues into a sprint. Closed sprints that they were in stay in the value. Null = the backlog. */
export function moveToSprint(
  world: JiraWorld,
  site: Site,
  byAccount: string,
  order: { issues: readonly Issue[]; sprint: Sprint | null; at?: number },
): void {
  const field = fieldOfKind(site.fields, "sprint");
  if (!field) throw new Error("The site has no sprint field");
  for (const issue of order.issues) {
    const before = (issue.values[field.id] as string[] | null | undefined) ?? [];
    const closed = before.filter((id) => site.sprints.find((sprint) => sprint.id === id)?.state === "closed");
    const all = order.sprint ? [...closed.filter((id) => id !== order.sprint?.id), order.sprint.id] : closed;
    const values = { [field.id]: all.length === 0 ? null : all };
    editIssue(world, site, byAccount, { issue, values, at: order.at });
  }
}

/** The issues in a sprint. */
export function issuesInSprint(site: Site, sprint: Sprint): Issue[] {
  const field = fieldOfKind(site.fields, "sprint");
  return site.issues.filter((issue) =>
    ((issue.values[field?.id ?? ""] as string[] | null) ?? []).includes(sprint.id),
  );
}

/**
 * Puts issues in their given order directly before or after another one. Ranking leaves no trace in the history, and
 * nothing proves that it counts as an update.
 */
export function rankIssues(
  world: JiraWorld,
  site: Site,
  order: { issues: readonly Issue[]; anchor: Issue; isBefore: boolean },
): void {
  const { issues, anchor, isBefore } = order;
  const others = site.issues
    .filter((issue) => !issues.includes(issue))
    .sort((one, other) => (one.rank < other.rank ? -1 : 1));
  const at = others.indexOf(anchor);
  let low = isBefore ? (others[at - 1]?.rank ?? null) : anchor.rank;
  const high = isBefore ? anchor.rank : (others[at + 1]?.rank ?? null);
  for (const issue of issues) {
    issue.rank = rankBetween(low, high);
    low = issue.rank;
  }
  world.save();
}
