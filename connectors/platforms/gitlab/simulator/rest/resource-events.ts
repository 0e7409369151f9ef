import { Hono } from "hono";
import { labelsIn } from "../project-records.ts";
import type { GitlabWorld, ResourceEvent } from "../state.ts";
import { type Body, notFound, type RestEnv } from "./answers.ts";
import { NOTEABLE_PLACES, type Noteable, reachNoteable } from "./noteables.ts";
import { page } from "./pages.ts";
import { renderMilestoneOf } from "./render-issuable.ts";
import { renderUserBrief } from "./render-users.ts";

const LISTS = {
  resource_label_events: "label",
  resource_state_events: "state",
  resource_milestone_events: "milestone",
} as const;

/**
 * Changes of labels, states and milestones. GitLab lists them here and not among the notes (docs.gitlab.com: resource
 * label, state and milestone events; notes API).
 */
export function resourceEventRoutes(world: GitlabWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  for (const { base, kind } of NOTEABLE_PLACES) {
    if (kind === "Snippet") continue;
    for (const [list, type] of Object.entries(LISTS)) {
      const path = `${base}/${list}`;
      const eventsOf = ({ issuable }: Noteable) =>
        (issuable?.events ?? []).filter((event) => event.type === type);
      app.get(path, (c) => {
        const of = reachNoteable(c, world, kind);
        return of instanceof Response
          ? of
          : page(c, world, eventsOf(of), (event) => render(world, of, event));
      });
      app.get(`${path}/:event_id{[0-9]+}`, (c) => {
        const of = reachNoteable(c, world, kind);
        if (of instanceof Response) return of;
        const event = eventsOf(of).find(({ id }) => id === Number(c.req.param("event_id")));
        return event ? c.json(render(world, of, event)) : notFound(c);
      });
    }
  }
  return app;
}

function render(world: GitlabWorld, { kind, id, project }: Noteable, event: ResourceEvent): Body {
  const shared = {
    id: event.id,
    user: renderUserBrief(world, event.userId),
    created_at: event.createdAt,
    resource_type: kind,
    resource_id: id,
  };
  if (event.type === "state") return { ...shared, state: event.state };
  if (event.type === "milestone") {
    const milestone = renderMilestoneOf(world, project, event.milestoneId);
    return { ...shared, milestone, action: event.action };
  }
  const label = labelsIn(world, project).find(({ name }) => name === event.label);
  return {
    ...shared,
    label: label
      ? { id: label.id, name: label.name, color: label.color, description: label.description }
      : null,
    action: event.action,
  };
}
