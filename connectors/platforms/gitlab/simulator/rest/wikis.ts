import { Hono } from "hono";
import { z } from "zod";
import { createHistoryScript } from "#connectors/toolkit/simulator/history-script.ts";
import { initBare } from "#connectors/toolkit/simulator/init-bare.ts";
import { importHistory, runGit } from "#connectors/toolkit/simulator/run-git.ts";
import { LEVEL, mayUse } from "../access.ts";
import { isBare, isEmptyBare } from "../bare.ts";
import { touchProject, wikiDirectory } from "../projects.ts";
import type { GitlabWorld, Project, User } from "../state.ts";
import { type Body, forbidden, notFound, problem, type RestContext, type RestEnv } from "./answers.ts";
import { bool, readParameters, text } from "./parameters.ts";
import { reachProject, requireUser } from "./reach.ts";

const FORMATS: Record<string, string> = { markdown: "md", rdoc: "rdoc", asciidoc: "asciidoc", org: "org" };
const BASE = "/projects/:id/wikis";
const ONE = `${BASE}/:slug`;
const fields = {
  format: z.enum(["markdown", "rdoc", "asciidoc", "org"]).optional(),
  front_matter: z.record(z.string(), z.unknown()).optional(),
};

/** `/projects/:id/wikis…`: wiki pages are files in the wiki's repository; the list is not paged. */
export function wikiRoutes(world: GitlabWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.get(BASE, async (c) => {
    const reached = reachWiki(c, world, LEVEL.guest);
    if (reached instanceof Response) return reached;
    const query = await readParameters(c, world, z.object({ with_content: bool.optional() }));
    if (query instanceof Response) return query;
    const pages = listPages(reached.directory);
    return c.json(pages.map((page) => renderPage(reached.directory, page, query.with_content === true)));
  });
  app.post(BASE, async (c) => {
    const reached = reachWiki(c, world, LEVEL.developer);
    if (reached instanceof Response) return reached;
    const user = requireUser(c);
    if (user instanceof Response) return user;
    const body = await readParameters(c, world, z.object({ ...fields, title: text, content: text }));
    if (body instanceof Response) return body;
    const slug = slugOf(body.title);
    if (listPages(reached.directory).some((page) => page.slug === slug)) {
      return problem(c, 400, { base: ["Duplicate page: A page with that title already exists"] });
    }
    const file = `${slug}.${FORMATS[body.format ?? "markdown"]}`;
    const message = `${user.username} created page: ${body.title}`;
    await commit(world, reached.project, user, {
      message,
      files: [{ path: file, content: body.content }],
      deleted: [],
    });
    return c.json(renderPage(reached.directory, { slug, file }, true), 201);
  });
  app.get(ONE, (c) => {
    const reached = reachPage(c, world, LEVEL.guest);
    return reached instanceof Response ? reached : c.json(renderPage(reached.directory, reached.page, true));
  });
  app.put(ONE, async (c) => {
    const reached = reachPage(c, world, LEVEL.developer);
    if (reached instanceof Response) return reached;
    const user = requireUser(c);
    if (user instanceof Response) return user;
    const body = await readParameters(
      c,
      world,
      z.object({ ...fields, title: text.optional(), content: text.optional() }),
    );
    if (body instanceof Response) return body;
    const old = reached.page;
    const slug = body.title === undefined ? old.slug : slugOf(body.title);
    const extension = body.format ? FORMATS[body.format] : old.file.split(".").at(-1);
    const file = `${slug}.${extension}`;
    const content = body.content ?? runGit(reached.directory, ["cat-file", "blob", `HEAD:${old.file}`]);
    const deleted = file === old.file ? [] : [old.file];
    const message = `${user.username} updated page: ${slug}`;
    await commit(world, reached.project, user, { message, files: [{ path: file, content }], deleted });
    return c.json(renderPage(reached.directory, { slug, file }, true));
  });
  app.delete(ONE, async (c) => {
    const reached = reachPage(c, world, LEVEL.developer);
    if (reached instanceof Response) return reached;
    const user = requireUser(c);
    if (user instanceof Response) return user;
    const message = `${user.username} deleted page: ${reached.page.slug}`;
    await commit(world, reached.project, user, { message, files: [], deleted: [reached.page.file] });
    return c.body(null, 204);
  });
  return app;
}

type Page = { slug: string; file: string };

function reachWiki(c: RestContext, world: GitlabWorld, needs: number) {
  const reached = reachProject(c, world);
  if (reached instanceof Response) return reached;
  const { project, level } = reached;
  if (!mayUse(project.wikiAccess, level))
    return project.wikiAccess === "disabled" ? notFound(c) : forbidden(c);
  if ((level < needs || project.external !== null) && needs > LEVEL.guest) return forbidden(c);
  return { ...reached, directory: wikiDirectory(world, project) };
}

function reachPage(c: RestContext, world: GitlabWorld, needs: number) {
  const reached = reachWiki(c, world, needs);
  if (reached instanceof Response) return reached;
  const page = listPages(reached.directory).find(({ slug }) => slug === c.req.param("slug"));
  return page ? { ...reached, page } : notFound(c, "Wiki Page");
}

function listPages(directory: string): Page[] {
  if (!isBare(directory) || isEmptyBare(directory)) return [];
  return runGit(directory, ["ls-tree", "-r", "-z", "--name-only", "HEAD"])
    .split("\0")
    .flatMap((file) => {
      const [, slug, extension = ""] = /^(.+)\.([^./]+)$/.exec(file) ?? [];
      return slug !== undefined && Object.values(FORMATS).includes(extension) ? [{ slug, file }] : [];
    });
}

function slugOf(title: string): string {
  return title.trim().replace(/\s+/g, "-");
}

function renderPage(directory: string, { slug, file }: Page, hasContent: boolean): Body {
  const extension = file.split(".").at(-1);
  const format = Object.entries(FORMATS).find(([, each]) => each === extension)?.[0] ?? "markdown";
  const base = {
    format,
    slug,
    title: (slug.split("/").at(-1) ?? slug).replaceAll("-", " "),
    wiki_page_meta_id: null,
  };
  if (!hasContent) return base;
  const content = runGit(directory, ["cat-file", "blob", `HEAD:${file}`]);
  return { ...base, content, encoding: "UTF-8", front_matter: {} };
}

/** Adds a commit to a project's wiki; the first commit creates the wiki. */
export async function commit(
  world: GitlabWorld,
  project: Project,
  user: User,
  order: { message: string; files: { path: string; content: string }[]; deleted: string[] },
): Promise<void> {
  const directory = wikiDirectory(world, project);
  initBare(directory);
  const ref = runGit(directory, ["symbolic-ref", "HEAD"]).trim();
  const script = createHistoryScript();
  script.commit({
    ref,
    author: { name: user.name, email: user.email },
    at: Math.floor(Date.now() / 1000),
    from: isEmptyBare(directory) ? undefined : ref,
    ...order,
  });
  await importHistory(directory, script.parts());
  touchProject(world, project);
}
