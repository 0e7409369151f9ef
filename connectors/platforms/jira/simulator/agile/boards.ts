import { Hono } from "hono";
import { fieldOfKind, kindOf } from "../field-kinds.ts";
import { canSeeIssue, canSeeProject } from "../permissions.ts";
import { invalid, missing } from "../refused.ts";
import { renderIssue } from "../render-issue.ts";
import { avatars } from "../render-people.ts";
import { expandOf, listOf, numberOf, pageOf, type RestEnv } from "../rest/reach.ts";
import type { Board, Issue } from "../state.ts";
import { byId, findProject, issuesOf } from "../store.ts";
import type { Viewer } from "../viewer.ts";
import { renderSprint } from "./render-sprint.ts";

/** Boards, their configuration and their sprints, below `/rest/agile/1.0`. */
export function boardRoutes(): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.get("/board", (c) => {
    const viewer = c.get("viewer");
    const project = c.req.query("projectKeyOrId");
    const projectId = project === undefined ? null : (findProject(viewer.site, project)?.id ?? "");
    const types = listOf(c, "type");
    const name = (c.req.query("name") ?? "").toLowerCase();
    if (projectId === "") throw invalid(`No project could be found with key or id '${project}'.`);
    const found = viewer.site.boards.filter(
      (board) =>
        canSeeBoard(viewer, board) &&
        (projectId === null || board.projectId === projectId) &&
        (types.length === 0 || types.includes(board.kind)) &&
        board.name.toLowerCase().includes(name),
    );
    const {
      self: _,
      nextPage: __,
      ...page
    } = pageOf(
      c,
      found.map((board) => renderBoard(viewer, board)),
    );
    return c.json(page);
  });
  app.get("/board/:id", (c) => {
    const viewer = c.get("viewer");
    return c.json(renderBoard(viewer, boardIn(viewer, c.req.param("id"))));
  });
  app.get("/board/:id/configuration", (c) => {
    const viewer = c.get("viewer");
    return c.json(renderConfiguration(viewer, boardIn(viewer, c.req.param("id"))));
  });
  app.get("/board/:id/sprint", (c) => {
    const viewer = c.get("viewer");
    const board = boardIn(viewer, c.req.param("id"));
    if (board.kind === "kanban") throw invalid("The board does not support sprints");
    const states = listOf(c, "state");
    const found = viewer.site.sprints.filter(
      ({ boardId, state }) => boardId === board.id && (states.length === 0 || states.includes(state)),
    );
    const {
      self: _,
      nextPage: __,
      ...page
    } = pageOf(
      c,
      found.map((sprint) => renderSprint(viewer, sprint)),
    );
    return c.json(page);
  });
  return app;
}

/** The issues of a board, below `/rest/software/1.0`: paged by token, ordered by rank. */
export function boardIssueRoutes(): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.get("/board/:id/issue", (c) => {
    const viewer = c.get("viewer");
    const board = boardIn(viewer, c.req.param("id"));
    if (c.req.query("jql") !== undefined)
      throw invalid("The simulator does not know the parameter jql of boards.");
    const issues = issuesOnBoard(viewer, board);
    const start = Number(c.req.query("nextPageToken") ?? 0);
    if (!Number.isInteger(start)) throw invalid("The provided next page token is invalid or expired.");
    const asked = listOf(c, "fields");
    const isLight = asked.length > 0 && asked.every((name) => name === "id" || name === "key");
    const size = Math.min(numberOf(c, "maxResults", 50), isLight ? 5_000 : 100);
    const page = issues.slice(start, start + size);
    const end = start + page.length;
    const fields = asked.length === 0 ? ["*navigable"] : asked;
    const wish = { fields, expand: expandOf(c.req.query("expand")), properties: [] };
    return c.json({
      issues: page.map((issue) => renderIssue(viewer, issue, wish)),
      ...(end < issues.length ? { nextPageToken: String(end) } : {}),
      isLast: end >= issues.length,
    });
  });
  return app;
}

/** What a board shows: its project's issues whose status is in a column. Scrum boards show no epics. */
function issuesOnBoard(viewer: Viewer, board: Board): Issue[] {
  const { world, site } = viewer;
  const statusIds = new Set(board.columns.flatMap((column) => column.statusIds));
  const isShown = (issue: Issue) => board.kind === "kanban" || byId(site.issueTypes, issue.typeId).level < 1;
  return issuesOf(world, site, byId(site.projects, board.projectId))
    .filter((issue) => statusIds.has(issue.statusId) && isShown(issue) && canSeeIssue(viewer, issue))
    .sort((one, other) => (one.rank < other.rank ? -1 : one.rank > other.rank ? 1 : 0));
}

/** The board of a path. @throws Refused 404 */
export function boardIn(viewer: Viewer, id: string): Board {
  const board = viewer.site.boards.find((known) => known.id === id);
  if (!board || !canSeeBoard(viewer, board)) {
    throw missing(
      "The requested board cannot be viewed because it either does not exist or you do not have permission to view it.",
    );
  }
  return board;
}

function canSeeBoard(viewer: Viewer, { projectId }: Board): boolean {
  return canSeeProject(viewer, byId(viewer.site.projects, projectId));
}

function renderBoard(viewer: Viewer, board: Board) {
  const project = byId(viewer.site.projects, board.projectId);
  return {
    id: Number(board.id),
    self: `${viewer.base}/rest/agile/1.0/board/${board.id}`,
    name: board.name,
    type: board.kind,
    location: {
      projectId: Number(project.id),
      displayName: `${project.name} (${project.key})`,
      projectName: project.name,
      projectKey: project.key,
      projectTypeKey: project.typeKey,
      avatarURI: avatars(viewer, project.key)["24x24"],
      name: `${project.name} (${project.key})`,
    },
    isPrivate: false,
  };
}

function renderConfiguration(viewer: Viewer, board: Board) {
  const { site, base } = viewer;
  const project = byId(site.projects, board.projectId);
  const estimation = site.fields.find(({ id }) => id === board.estimationFieldId);
  const rank = fieldOfKind(site.fields, "rank");
  return {
    id: Number(board.id),
    name: board.name,
    type: board.kind,
    self: `${base}/rest/agile/1.0/board/${board.id}/configuration`,
    location: {
      type: "project",
      key: project.key,
      id: project.id,
      self: `${base}/rest/api/3/project/${project.id}`,
      name: project.name,
    },
    filter: { id: board.filterId, self: `${base}/rest/api/3/filter/${board.filterId}` },
    ...(board.kind === "kanban"
      ? { subQuery: { query: "fixVersion in unreleasedVersions() OR fixVersion is EMPTY" } }
      : {}),
    columnConfig: {
      columns: board.columns.map(({ name, statusIds, min, max }) => ({
        name,
        statuses: statusIds.map((id) => ({ id, self: `${base}/rest/api/3/status/${id}` })),
        ...(min === undefined ? {} : { min }),
        ...(max === undefined ? {} : { max }),
      })),
      constraintType: board.columns.some(({ min, max }) => min !== undefined || max !== undefined)
        ? "issueCount"
        : "none",
    },
    ...(estimation
      ? { estimation: { type: "field", field: { fieldId: estimation.id, displayName: estimation.name } } }
      : {}),
    ...(rank && kindOf(rank) === "rank"
      ? { ranking: { rankCustomFieldId: Number(rank.id.replace("customfield_", "")) } }
      : {}),
  };
}
