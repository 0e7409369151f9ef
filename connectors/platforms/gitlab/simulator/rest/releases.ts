import { Hono } from "hono";
import { z } from "zod";
import { runGit } from "#connectors/toolkit/simulator/run-git.ts";
import { LEVEL, mayReadCode } from "../access.ts";
import { resolveCommit } from "../bare.ts";
import { groupsAround } from "../project-records.ts";
import { codeDirectory, fullPath, touchProject } from "../projects.ts";
import {
  type GitlabWorld,
  nextId,
  type Project,
  type Release,
  type ReleaseLink,
  timestamp,
} from "../state.ts";
import { type Body, forbidden, notFound, problem, type RestContext, type RestEnv } from "./answers.ts";
import { page } from "./pages.ts";
import { bool, csv, readParameters, text, time } from "./parameters.ts";
import { reachProject, requireUser } from "./reach.ts";
import { readCommit } from "./render-commit.ts";
import { renderMilestone } from "./render-issuable.ts";
import { renderUserBrief } from "./render-users.ts";

const linkFields = {
  name: text,
  url: text,
  direct_asset_path: text.optional(),
  filepath: text.optional(),
  link_type: z.enum(["other", "runbook", "image", "package"]).optional(),
};
const creation = z.object({
  tag_name: text,
  ref: text.optional(),
  tag_message: text.optional(),
  name: text.optional(),
  description: text.optional(),
  milestones: csv.optional(),
  released_at: time.optional(),
  assets: z.object({ links: z.array(z.object(linkFields)).optional() }).optional(),
});
const change = creation.omit({ tag_name: true, ref: true, tag_message: true, assets: true });

const BASE = "/projects/:id/releases";
const ONE = `${BASE}/:tag`;

/** `/projects/:id/releases…`: releases by tag, and their links. */
export function releaseRoutes(world: GitlabWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.get(BASE, async (c) => {
    const reached = reachProject(c, world);
    if (reached instanceof Response) return reached;
    const query = await readParameters(
      c,
      world,
      z.object({
        include_html_description: bool.optional(),
        updated_after: time.optional(),
        updated_before: time.optional(),
      }),
    );
    if (query instanceof Response) return query;
    const key = c.req.query("order_by") === "created_at" ? "createdAt" : "releasedAt";
    const sign = c.req.query("sort") === "asc" ? 1 : -1;
    const found = [...reached.project.releases].sort((a, b) => sign * (a[key] < b[key] ? -1 : 1));
    return page(c, world, found, (release) => renderRelease(world, reached.project, reached.level, release));
  });
  app.post(BASE, (c) => create(c, world));
  app.get(ONE, (c) => {
    const reached = reachRelease(c, world, 1);
    if (reached instanceof Response) return reached;
    return c.json(renderRelease(world, reached.project, reached.level, reached.release));
  });
  app.put(ONE, async (c) => {
    const reached = reachRelease(c, world, LEVEL.developer);
    if (reached instanceof Response) return reached;
    const body = await readParameters(c, world, change);
    if (body instanceof Response) return body;
    const { project, release, level } = reached;
    release.name = body.name ?? release.name;
    release.description = body.description ?? release.description;
    release.releasedAt = body.released_at ? timestamp(Date.parse(body.released_at)) : release.releasedAt;
    release.milestones = body.milestones ?? release.milestones;
    touchProject(world, project);
    return c.json(renderRelease(world, project, level, release));
  });
  app.delete(ONE, (c) => {
    const reached = reachRelease(c, world, LEVEL.developer);
    if (reached instanceof Response) return reached;
    const { project, release, level } = reached;
    project.releases = project.releases.filter((known) => known !== release);
    touchProject(world, project);
    return c.json(renderRelease(world, project, level, release));
  });
  linkRoutes(app, world);
  return app;
}

function linkRoutes(app: Hono<RestEnv>, world: GitlabWorld): void {
  app.get(`${ONE}/assets/links`, (c) => {
    const reached = reachRelease(c, world, 1);
    if (reached instanceof Response) return reached;
    return page(c, world, reached.release.links, (link) =>
      renderLink(world, reached.project, reached.release, link),
    );
  });
  app.post(`${ONE}/assets/links`, async (c) => {
    const reached = reachRelease(c, world, LEVEL.developer);
    if (reached instanceof Response) return reached;
    const body = await readParameters(c, world, z.object(linkFields));
    if (body instanceof Response) return body;
    const { project, release } = reached;
    const taken = (["name", "url"] as const).filter((field) =>
      release.links.some((link) => link[field] === body[field]),
    );
    if (taken.length > 0) {
      return problem(c, 400, Object.fromEntries(taken.map((field) => [field, ["has already been taken"]])));
    }
    const link = makeLink(world, body);
    release.links.push(link);
    touchProject(world, project);
    return c.json(renderLink(world, project, release, link), 201);
  });
  app.delete(`${ONE}/assets/links/:link_id{[0-9]+}`, (c) => {
    const reached = reachRelease(c, world, LEVEL.developer);
    if (reached instanceof Response) return reached;
    const { project, release } = reached;
    const link = release.links.find(({ id }) => id === Number(c.req.param("link_id")));
    if (!link) return notFound(c);
    release.links = release.links.filter((known) => known !== link);
    touchProject(world, project);
    return c.json(renderLink(world, project, release, link));
  });
}

function reachRelease(c: RestContext, world: GitlabWorld, needs: number) {
  const reached = reachProject(c, world);
  if (reached instanceof Response) return reached;
  const release = reached.project.releases.find(({ tag }) => tag === c.req.param("tag"));
  // Without write access a missing release is 403, not 404, so the response does not reveal which tags exist.
  if (!release) return reached.level < LEVEL.developer ? forbidden(c) : notFound(c);
  if (reached.level < needs) return forbidden(c);
  return { ...reached, release };
}

function makeLink(world: GitlabWorld, body: z.output<z.ZodObject<typeof linkFields>>): ReleaseLink {
  return {
    id: nextId(world.state),
    name: body.name,
    url: body.url,
    directAssetPath: body.direct_asset_path ?? body.filepath ?? null,
    type: body.link_type ?? "other",
  };
}

function renderLink(world: GitlabWorld, project: Project, release: Release, link: ReleaseLink): Body {
  const base = `${world.url}/${fullPath(world, project)}/-/releases/${encodeURIComponent(release.tag)}/downloads`;
  return {
    id: link.id,
    name: link.name,
    url: link.url,
    direct_asset_url: link.directAssetPath === null ? link.url : `${base}${link.directAssetPath}`,
    external: !link.url.startsWith(world.url),
    link_type: link.type,
  };
}

function renderRelease(world: GitlabWorld, project: Project, level: number, release: Release): Body {
  const path = fullPath(world, project);
  const directory = codeDirectory(world, project);
  const tag = encodeURIComponent(release.tag);
  const sha = resolveCommit(directory, `refs/tags/${release.tag}`);
  const archive = (format: string) =>
    `${world.url}/${path}/-/archive/${tag}/${project.path}-${release.tag}.${format}`;
  const formats = ["zip", "tar.gz", "tar.bz2", "tar"];
  const places = [project, ...groupsAround(world, project)];
  const milestones = release.milestones.flatMap((title) => {
    for (const place of places) {
      const found = place.milestones.find((milestone) => milestone.title === title);
      if (found)
        return [renderMilestone(world, found, "issues" in place ? { project: place } : { group: place })];
    }
    return [];
  });
  const hasCode = mayReadCode(project, level);
  return {
    ...(hasCode ? { tag_name: release.tag } : {}),
    name: release.name,
    description: release.description,
    created_at: release.createdAt,
    released_at: release.releasedAt,
    upcoming_release: Date.parse(release.releasedAt) > Date.now(),
    author: renderUserBrief(world, release.authorId),
    ...(hasCode && sha !== null
      ? {
          commit: readCommit(directory, `${world.url}/${path}`, sha),
          commit_path: `/${path}/-/commit/${sha}`,
          tag_path: `/${path}/-/tags/${tag}`,
        }
      : {}),
    ...(milestones.length > 0 ? { milestones } : {}),
    assets: {
      count: release.links.length + (hasCode ? formats.length : 0),
      sources: hasCode ? formats.map((format) => ({ format, url: archive(format) })) : [],
      links: release.links.map((link) => renderLink(world, project, release, link)),
    },
    evidences: [],
    _links: {
      self: `${world.url}/${path}/-/releases/${tag}`,
      edit_url: `${world.url}/${path}/-/releases/${tag}/edit`,
      closed_issues_url: `${world.url}/${path}/-/issues?release_tag=${tag}&scope=all&state=closed`,
      opened_issues_url: `${world.url}/${path}/-/issues?release_tag=${tag}&scope=all&state=opened`,
      closed_merge_requests_url: `${world.url}/${path}/-/merge_requests?release_tag=${tag}&scope=all&state=closed`,
      opened_merge_requests_url: `${world.url}/${path}/-/merge_requests?release_tag=${tag}&scope=all&state=opened`,
      merged_merge_requests_url: `${world.url}/${path}/-/merge_requests?release_tag=${tag}&scope=all&state=merged`,
    },
  };
}

/** Creates a release of a tag; `ref` creates the tag when it is missing. Its date may be in the past. */
async function create(c: RestContext, world: GitlabWorld): Promise<Response> {
  const reached = reachProject(c, world, LEVEL.developer);
  if (reached instanceof Response) return reached;
  const user = requireUser(c);
  if (user instanceof Response) return user;
  const body = await readParameters(c, world, creation);
  if (body instanceof Response) return body;
  const { project, level } = reached;
  if (project.releases.some(({ tag }) => tag === body.tag_name))
    return problem(c, 409, "Release already exists");
  const directory = codeDirectory(world, project);
  if (resolveCommit(directory, `refs/tags/${body.tag_name}`) === null) {
    const sha = body.ref === undefined ? null : resolveCommit(directory, body.ref);
    if (body.ref === undefined) return problem(c, 422, "Ref is not specified");
    if (sha === null) return problem(c, 400, `Target ${body.ref} is invalid`);
    runGit(directory, ["update-ref", `refs/tags/${body.tag_name}`, sha]);
  }
  const places = [project, ...groupsAround(world, project)];
  const unknown = body.milestones?.filter(
    (title) => !places.some(({ milestones }) => milestones.some((known) => known.title === title)),
  );
  if (unknown && unknown.length > 0) return problem(c, 400, `Milestone(s) not found: ${unknown.join(", ")}`);
  const now = timestamp();
  const release: Release = {
    tag: body.tag_name,
    name: body.name ?? body.tag_name,
    description: body.description ?? "",
    authorId: user.id,
    milestones: body.milestones ?? [],
    links: (body.assets?.links ?? []).map((link) => makeLink(world, link)),
    createdAt: now,
    releasedAt: body.released_at ? timestamp(Date.parse(body.released_at)) : now,
  };
  project.releases.push(release);
  touchProject(world, project);
  return c.json(renderRelease(world, project, level, release), 201);
}
