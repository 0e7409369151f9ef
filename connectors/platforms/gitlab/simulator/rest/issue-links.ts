import { Hono } from "hono";
import { z } from "zod";
import { LEVEL } from "../access.ts";
import { addSystemNote } from "../issuables.ts";
import { fullPath } from "../projects.ts";
import { type GitlabWorld, type Issue, type IssueLink, nextId, type Project, timestamp } from "../state.ts";
import { type Body, forbidden, notFound, problem, type RestContext, type RestEnv } from "./answers.ts";
import { reachIssue } from "./issues.ts";
import { readParameters, text } from "./parameters.ts";
import { requireUser } from "./reach.ts";
import { renderIssue } from "./render-issuable.ts";

const BASE = "/projects/:id/issues/:iid{[0-9]+}/links";
const creation = z.object({
  target_project_id: text,
  target_issue_iid: text,
  link_type: z.enum(["relates_to", "blocks", "is_blocked_by"]).default("relates_to"),
});
/** The type of a link as the other issue shows it. */
const OTHER_SIDE = { relates_to: "relates_to", blocks: "is_blocked_by", is_blocked_by: "blocks" } as const;
type Place = { project: Project; issue: Issue };

/**
 * Links between issues (docs.gitlab.com: issue links API; gitlab4j's `linked-issues.json`). Both issues get a note of the
 * system, "marked this issue as related to #9" (GitLab, app/services/system_notes/issuables_service.rb).
 */
export function issueLinkRoutes(world: GitlabWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.get(BASE, (c) => {
    const reached = reachIssue(c, world);
    if (reached instanceof Response) return reached;
    return c.json(linksOf(world, reached.issue).map((link) => renderLink(world, reached.issue, link)));
  });
  app.post(BASE, (c) => create(c, world));
  app.delete(`${BASE}/:link_id{[0-9]+}`, (c) => {
    const reached = reachIssue(c, world);
    if (reached instanceof Response) return reached;
    const links = world.state.issueLinks ?? [];
    const link = links.find(({ id }) => id === Number(c.req.param("link_id")));
    if (!link) return notFound(c);
    world.state.issueLinks = links.filter((known) => known !== link);
    world.save();
    return c.json(renderPair(world, link));
  });
  return app;
}

function linksOf(world: GitlabWorld, { id }: Issue): IssueLink[] {
  return (world.state.issueLinks ?? []).filter(({ sourceId, targetId }) => [sourceId, targetId].includes(id));
}

function placeOf(world: GitlabWorld, id: number): Place | null {
  for (const project of world.state.projects) {
    const issue = project.issues.find((known) => known.id === id);
    if (issue) return { project, issue };
  }
  return null;
}

function renderLink(world: GitlabWorld, from: Issue, link: IssueLink): Body {
  const isSource = link.sourceId === from.id;
  const other = placeOf(world, isSource ? link.targetId : link.sourceId);
  return {
    ...(other ? renderIssue(world, other.project, other.issue, false) : {}),
    issue_link_id: link.id,
    link_type: isSource ? link.type : OTHER_SIDE[link.type],
    link_created_at: link.createdAt,
    link_updated_at: link.createdAt,
  };
}

function renderPair(world: GitlabWorld, link: IssueLink): Body {
  const show = (id: number) => {
    const place = placeOf(world, id);
    return place && renderIssue(world, place.project, place.issue, false);
  };
  return { source_issue: show(link.sourceId), target_issue: show(link.targetId), link_type: link.type };
}

async function create(c: RestContext, world: GitlabWorld): Promise<Response> {
  const reached = reachIssue(c, world);
  if (reached instanceof Response) return reached;
  const user = requireUser(c);
  if (user instanceof Response) return user;
  if (reached.level < LEVEL.guest) return forbidden(c);
  const body = await readParameters(c, world, creation);
  if (body instanceof Response) return body;
  const key = body.target_project_id;
  const project = world.state.projects.find(
    (known) => String(known.id) === key || fullPath(world, known) === key,
  );
  const target = project?.issues.find(({ iid }) => iid === Number(body.target_issue_iid));
  if (!project || !target) return notFound(c, "Issue");
  const { issue } = reached;
  if (linksOf(world, issue).some((link) => [link.sourceId, link.targetId].includes(target.id)))
    return problem(c, 409, "Issue(s) already assigned");
  const link: IssueLink = {
    id: nextId(world.state),
    sourceId: issue.id,
    targetId: target.id,
    type: body.link_type,
    createdAt: timestamp(),
  };
  world.state.issueLinks = [...(world.state.issueLinks ?? []), link];
  const words = { relates_to: "as related to", blocks: "as blocking", is_blocked_by: "as blocked by" };
  const tell = (from: Place, to: Place, type: IssueLink["type"]) => {
    const home = from.project === to.project ? "" : fullPath(world, to.project);
    addSystemNote(world, from.issue, user.id, `marked this issue ${words[type]} ${home}#${to.issue.iid}`);
    from.issue.updatedAt = timestamp();
  };
  tell({ project: reached.project, issue }, { project, issue: target }, link.type);
  tell({ project, issue: target }, { project: reached.project, issue }, OTHER_SIDE[link.type]);
  world.save();
  return c.json(renderPair(world, link), 201);
}
