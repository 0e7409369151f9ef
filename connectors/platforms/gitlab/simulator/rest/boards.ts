import { Hono } from "hono";
import { z } from "zod";
import { LEVEL } from "../access.ts";
import { labelsIn } from "../project-records.ts";
import { fullName, fullPath } from "../projects.ts";
import { type Board, type GitlabWorld, nextId, type Project } from "../state.ts";
import { type Body, notFound, problem, type RestContext, type RestEnv } from "./answers.ts";
import { page } from "./pages.ts";
import { int, readParameters, text } from "./parameters.ts";
import { reachProject } from "./reach.ts";

const BASE = "/projects/:id/boards";
const ONE = `${BASE}/:board_id{[0-9]+}`;

/** `/projects/:id/boards…`: issue boards and their lists of labels. */
export function boardRoutes(world: GitlabWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.get(BASE, (c) => {
    const reached = reachProject(c, world);
    if (reached instanceof Response) return reached;
    return page(c, world, reached.project.boards, (board) => renderBoard(world, reached.project, board));
  });
  app.post(BASE, async (c) => {
    const reached = reachProject(c, world, LEVEL.planner);
    if (reached instanceof Response) return reached;
    const body = await readParameters(c, world, z.object({ name: text }));
    if (body instanceof Response) return body;
    const board: Board = { id: nextId(world.state), name: body.name, lists: [] };
    reached.project.boards.push(board);
    world.save();
    return c.json(renderBoard(world, reached.project, board), 201);
  });
  app.get(ONE, (c) => {
    const reached = reachBoard(c, world, 1);
    return reached instanceof Response ? reached : c.json(renderBoard(world, reached.project, reached.board));
  });
  app.delete(ONE, (c) => {
    const reached = reachBoard(c, world, LEVEL.planner);
    if (reached instanceof Response) return reached;
    reached.project.boards = reached.project.boards.filter((known) => known !== reached.board);
    world.save();
    return c.body(null, 204);
  });
  app.get(`${ONE}/lists`, (c) => {
    const reached = reachBoard(c, world, 1);
    if (reached instanceof Response) return reached;
    const { project, board } = reached;
    return page(c, world, board.lists, (list) => renderList(world, project, list));
  });
  app.post(`${ONE}/lists`, async (c) => {
    const reached = reachBoard(c, world, LEVEL.planner);
    if (reached instanceof Response) return reached;
    const { project, board } = reached;
    const body = await readParameters(c, world, z.object({ label_id: int }));
    if (body instanceof Response) return body;
    if (!labelsIn(world, project).some(({ id }) => id === body.label_id))
      return problem(c, 400, "Label not found");
    if (board.lists.some(({ labelId }) => labelId === body.label_id)) {
      return problem(c, 400, { label: ["has already been taken"] });
    }
    const list = { id: nextId(world.state), labelId: body.label_id, position: board.lists.length };
    board.lists.push(list);
    world.save();
    return c.json(renderList(world, project, list), 201);
  });
  return app;
}

function reachBoard(c: RestContext, world: GitlabWorld, needs: number) {
  const reached = reachProject(c, world, needs);
  if (reached instanceof Response) return reached;
  const board = reached.project.boards.find(({ id }) => id === Number(c.req.param("board_id")));
  return board ? { ...reached, board } : notFound(c, "Board");
}

function renderList(world: GitlabWorld, project: Project, list: Board["lists"][number]): Body {
  const label = labelsIn(world, project).find(({ id }) => id === list.labelId);
  return {
    id: list.id,
    label: label
      ? { id: label.id, name: label.name, color: label.color, description: label.description }
      : null,
    position: list.position,
    list_type: "label",
    collapsed: false,
  };
}

function renderBoard(world: GitlabWorld, project: Project, board: Board): Body {
  const path = fullPath(world, project);
  return {
    id: board.id,
    name: board.name,
    hide_backlog_list: false,
    hide_closed_list: false,
    project: {
      id: project.id,
      name: project.name,
      name_with_namespace: fullName(world, project),
      path: project.path,
      path_with_namespace: path,
      http_url_to_repo: `${world.url}/${path}.git`,
      web_url: `${world.url}/${path}`,
    },
    group: null,
    milestone: null,
    assignee: null,
    labels: [],
    weight: null,
    lists: board.lists.map((list) => renderList(world, project, list)),
  };
}
