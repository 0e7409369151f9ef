import type { Sprint } from "../state.ts";
import type { Viewer } from "../viewer.ts";

/** A sprint; times are UTC. */
export function renderSprint(viewer: Viewer, sprint: Sprint) {
  const show = (key: string, at: number | null) => (at === null ? {} : { [key]: new Date(at).toISOString() });
  return {
    id: Number(sprint.id),
    self: `${viewer.base}/rest/agile/1.0/sprint/${sprint.id}`,
    state: sprint.state,
    name: sprint.name,
    ...show("startDate", sprint.startAt),
    ...show("endDate", sprint.endAt),
    ...show("completeDate", sprint.completedAt),
    ...show("createdDate", sprint.createdAt),
    originBoardId: Number(sprint.boardId),
    goal: sprint.goal,
  };
}
