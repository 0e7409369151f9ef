import { Hono } from "hono";
import { z } from "zod";
import { LEVEL } from "../access.ts";
import { fullPath } from "../projects.ts";
import {
  type Badge,
  type DeployKey,
  type GitlabWorld,
  nextId,
  type PipelineSchedule,
  type Project,
  timestamp,
} from "../state.ts";
import { type Body, notFound, problem, type RestContext, type RestEnv } from "./answers.ts";
import { page } from "./pages.ts";
import { bool, int, readParameters, text } from "./parameters.ts";
import { type ReachedProject, reachProject, requireUser } from "./reach.ts";
import { renderUserBrief } from "./render-users.ts";

const tagRule = z.object({ name: text, create_access_level: int.optional() });
const schedule = z.object({
  description: text,
  ref: text,
  cron: text,
  cron_timezone: text.default("UTC"),
  active: bool.default(true),
});
const deployKey = z.object({ title: text, key: text, can_push: bool.default(false) });
const badge = z.object({ link_url: text, image_url: text, name: text.optional() });

/** Protected tags, pipeline schedules, deploy keys and badges of a project (docs.gitlab.com: the API of each). */
export function moreSettingRoutes(world: GitlabWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  tagRoutes(app, world);
  scheduleRoutes(app, world);
  keyRoutes(app, world);
  badgeRoutes(app, world);
  return app;
}

function tagRoutes(app: Hono<RestEnv>, world: GitlabWorld): void {
  const base = "/projects/:id/protected_tags";
  const names: Record<number, string> = { 0: "No one", 30: "Developers + Maintainers", 40: "Maintainers" };
  const render = ({ name, level }: { name: string; level: number }) => ({
    name,
    create_access_levels: [{ access_level: level, access_level_description: names[level] ?? String(level) }],
  });
  app.get(base, (c) => {
    const reached = reachProject(c, world, LEVEL.developer);
    return reached instanceof Response
      ? reached
      : page(c, world, reached.project.protectedTags ?? [], render);
  });
  app.post(base, async (c) => {
    const asked = await readOrder(c, world, tagRule);
    if (asked instanceof Response) return asked;
    const { project, body } = asked;
    project.protectedTags ??= [];
    if (project.protectedTags.some(({ name }) => name === body.name))
      return problem(c, 422, ["Name has already been taken"]);
    const rule = { name: body.name, level: body.create_access_level ?? LEVEL.maintainer };
    project.protectedTags.push(rule);
    world.save();
    return c.json(render(rule), 201);
  });
}

function scheduleRoutes(app: Hono<RestEnv>, world: GitlabWorld): void {
  const base = "/projects/:id/pipeline_schedules";
  const render = (one: PipelineSchedule): Body => ({
    id: one.id,
    description: one.description,
    ref: one.ref,
    cron: one.cron,
    cron_timezone: one.timezone,
    // It moves on by itself.
    next_run_at: timestamp(),
    active: one.isActive,
    created_at: one.createdAt,
    updated_at: one.createdAt,
    owner: renderUserBrief(world, one.ownerId),
  });
  app.get(base, (c) => {
    const reached = reachProject(c, world, LEVEL.developer);
    return reached instanceof Response ? reached : page(c, world, reached.project.schedules ?? [], render);
  });
  app.post(base, async (c) => {
    const asked = await readOrder(c, world, schedule);
    if (asked instanceof Response) return asked;
    const user = requireUser(c);
    if (user instanceof Response) return user;
    const { project, body } = asked;
    const { description, ref, cron, cron_timezone: timezone, active: isActive } = body;
    const facts = { description, ref, cron, timezone, isActive };
    const one = { id: nextId(world.state), ...facts, createdAt: timestamp(), ownerId: user.id };
    project.schedules = [...(project.schedules ?? []), one];
    world.save();
    return c.json(render(one), 201);
  });
}

function keyRoutes(app: Hono<RestEnv>, world: GitlabWorld): void {
  const base = "/projects/:id/deploy_keys";
  const render = ({ id, title, key, canPush, createdAt }: DeployKey): Body => ({
    ...{ id, title, key, can_push: canPush, created_at: createdAt, expires_at: null },
    ...{ fingerprint: "4a:9d:64:15:ed:3a:e6:07:6e:89:36:b3:3b:03:05:d9" },
    fingerprint_sha256: "SHA256:Jrs3LD1Ji30xNLtTVf9NDCj7kkBgPBb2pjvTZ3HfIgU",
  });
  app.get(base, (c) => {
    const reached = reachProject(c, world, LEVEL.maintainer);
    return reached instanceof Response ? reached : page(c, world, reached.project.deployKeys ?? [], render);
  });
  app.post(base, async (c) => {
    const asked = await readOrder(c, world, deployKey);
    if (asked instanceof Response) return asked;
    const { project, body } = asked;
    const { title, key, can_push: canPush } = body;
    const one = { id: nextId(world.state), title, key, canPush, createdAt: timestamp() };
    project.deployKeys = [...(project.deployKeys ?? []), one];
    world.save();
    return c.json(render(one), 201);
  });
}

function badgeRoutes(app: Hono<RestEnv>, world: GitlabWorld): void {
  const base = "/projects/:id/badges";
  const render =
    (project: Project) =>
    ({ id, name, linkUrl, imageUrl }: Badge): Body => {
      const rendered = (url: string) => url.replaceAll("%{project_path}", fullPath(world, project));
      return {
        ...{ id, name, link_url: linkUrl, image_url: imageUrl, kind: "project" },
        ...{ rendered_link_url: rendered(linkUrl), rendered_image_url: rendered(imageUrl) },
      };
    };
  app.get(base, (c) => {
    const reached = reachProject(c, world);
    if (reached instanceof Response) return reached;
    return page(c, world, reached.project.badges ?? [], render(reached.project));
  });
  app.post(base, async (c) => {
    const asked = await readOrder(c, world, badge);
    if (asked instanceof Response) return asked;
    const { project, body } = asked;
    const { name = null, link_url: linkUrl, image_url: imageUrl } = body;
    const one = { id: nextId(world.state), name, linkUrl, imageUrl };
    project.badges = [...(project.badges ?? []), one];
    world.save();
    return c.json(render(project)(one), 201);
  });
  app.delete(`${base}/:badge_id{[0-9]+}`, (c) => {
    const reached = reachProject(c, world, LEVEL.maintainer);
    if (reached instanceof Response) return reached;
    const { project } = reached;
    const left = (project.badges ?? []).filter(({ id }) => id !== Number(c.req.param("badge_id")));
    if (left.length === (project.badges ?? []).length) return notFound(c);
    project.badges = left;
    world.save();
    return c.body(null, 204);
  });
}

/** The project of a call that changes it, which needs a maintainer, and the call's parameters. */
async function readOrder<S extends z.ZodObject>(
  c: RestContext,
  world: GitlabWorld,
  schema: S,
): Promise<(ReachedProject & { body: z.output<S> }) | Response> {
  const reached = reachProject(c, world, LEVEL.maintainer);
  if (reached instanceof Response) return reached;
  const body = await readParameters(c, world, schema);
  return body instanceof Response ? body : { ...reached, body };
}
