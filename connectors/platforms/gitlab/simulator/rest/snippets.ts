import { type Context, Hono } from "hono";
import { z } from "zod";
import { readGitBlob, runGit } from "#connectors/toolkit/simulator/run-git.ts";
import { LEVEL, mayUse, reachOfSnippet } from "../access.ts";
import { headBranch, isEmptyBare, resolveCommit } from "../bare.ts";
import {
  changeFiles,
  createSnippet,
  deleteSnippet,
  SNIPPET_FILE_LIMIT,
  type SnippetFile,
  snippetDirectory,
  snippetFiles,
  snippetPath,
} from "../snippets.ts";
import { type GitlabWorld, type Project, type Snippet, timestamp } from "../state.ts";
import { type Body, fault, forbidden, notFound, problem, type RestContext, type RestEnv } from "./answers.ts";
import { ordered, page } from "./pages.ts";
import { readParameters, text, time } from "./parameters.ts";
import { reachProject, requireUser } from "./reach.ts";
import { renderUserBrief } from "./render-users.ts";

const filters = z.object({ created_after: time.optional(), created_before: time.optional() });
const visibility = z.enum(["private", "internal", "public"]);
const creation = z.object({
  title: text,
  description: text.nullable().optional(),
  visibility: visibility.default("private"),
  file_name: text.optional(),
  content: text.optional(),
  files: z.array(z.object({ file_path: text, content: text })).optional(),
});
const change = z.object({
  title: text.optional(),
  description: text.nullable().optional(),
  visibility: visibility.optional(),
  file_name: text.optional(),
  content: text.optional(),
  files: z
    .array(
      z.object({
        action: z.enum(["create", "update", "delete", "move"]),
        file_path: text.optional(),
        previous_path: text.optional(),
        content: text.optional(),
      }),
    )
    .optional(),
});

/** `/snippets…` for personal snippets, `/projects/:id/snippets…` for those of a project. */
export function snippetRoutes(world: GitlabWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.get("/snippets", async (c) => {
    const user = requireUser(c);
    if (user instanceof Response) return user;
    // The user's own snippets, including those in projects.
    return list(
      c,
      world,
      world.state.snippets.filter(({ authorId }) => authorId === user.id),
    );
  });
  app.get("/snippets/public", (c) =>
    list(
      c,
      world,
      world.state.snippets.filter((snippet) => snippet.visibility === "public" && snippet.projectId === null),
    ),
  );
  app.get("/snippets/all", (c) => {
    const user = requireUser(c);
    if (user instanceof Response) return user;
    return list(
      c,
      world,
      world.state.snippets.filter((snippet) => reachOfSnippet(world, c.get("viewer"), snippet) !== "none"),
    );
  });
  app.get("/projects/:id/snippets", (c) => {
    const reached = reachSnippets(c, world, 1);
    if (reached instanceof Response) return reached;
    const { project } = reached;
    return list(
      c,
      world,
      world.state.snippets.filter((snippet) => snippet.projectId === project.id),
    );
  });
  app.post("/snippets", (c) => create(c, world, null));
  app.post("/projects/:id/snippets", (c) => {
    const reached = reachSnippets(c, world, LEVEL.planner);
    return reached instanceof Response ? reached : create(c, world, reached.project);
  });
  for (const base of ["/snippets/:snippet_id{[0-9]+}", "/projects/:id/snippets/:snippet_id{[0-9]+}"]) {
    app.get(base, (c) =>
      withSnippet(c, world, "read", (snippet) => c.json(renderSnippet(world, snippet, true))),
    );
    app.put(base, (c) => withSnippet(c, world, "write", (snippet) => edit(c, world, snippet)));
    app.delete(base, (c) =>
      withSnippet(c, world, "write", (snippet) => {
        deleteSnippet(world, snippet);
        return c.body(null, 204);
      }),
    );
    app.get(`${base}/raw`, (c) =>
      withSnippet(c, world, "read", (snippet) => raw(c, world, snippet, null, null)),
    );
    app.get(`${base}/files/:ref/:file_path/raw`, (c) =>
      withSnippet(c, world, "read", (snippet) =>
        raw(c, world, snippet, c.req.param("ref") ?? null, c.req.param("file_path") ?? null),
      ),
    );
  }
  return app;
}

function reachSnippets(c: RestContext, world: GitlabWorld, needs: number) {
  const reached = reachProject(c, world);
  if (reached instanceof Response) return reached;
  const { project, level } = reached;
  if (project.snippetsAccess === "disabled") return notFound(c);
  if (!mayUse(project.snippetsAccess, level) || level < needs) return forbidden(c);
  return reached;
}

async function withSnippet(
  c: RestContext,
  world: GitlabWorld,
  needs: "read" | "write",
  act: (snippet: Snippet) => Response | Promise<Response>,
): Promise<Response> {
  let projectId: number | null = null;
  if (c.req.param("id") !== undefined) {
    const reached = reachSnippets(c, world, 1);
    if (reached instanceof Response) return reached;
    projectId = reached.project.id;
  }
  const snippet = world.state.snippets.find(
    (known) => known.id === Number(c.req.param("snippet_id")) && known.projectId === projectId,
  );
  const reach = snippet ? reachOfSnippet(world, c.get("viewer"), snippet) : "none";
  if (!snippet || reach === "none") return notFound(c, "Snippet");
  if (needs === "write" && reach !== "write") return forbidden(c);
  return act(snippet);
}

async function list(c: RestContext, world: GitlabWorld, among: readonly Snippet[]): Promise<Response> {
  const query = await readParameters(c, world, filters);
  if (query instanceof Response) return query;
  const found = ordered(among, ({ createdAt }) => createdAt, "desc");
  return page(c, world, found, (snippet) => renderSnippet(world, snippet, false));
}

/** A snippet. Only a single read shows its repository's URL. */
function renderSnippet(world: GitlabWorld, snippet: Snippet, isSingle: boolean): Body {
  const path = snippetPath(world, snippet);
  const web = `${world.url}/${snippet.projectId === null ? `-/${path}` : path.replace(/\/snippets\/(\d+)$/, "/-/snippets/$1")}`;
  const names = snippetFiles(world, snippet);
  const directory = snippetDirectory(world, snippet);
  const branch = headBranch(directory);
  return {
    id: snippet.id,
    title: snippet.title,
    description: snippet.description,
    visibility: snippet.visibility,
    author: renderUserBrief(world, snippet.authorId),
    created_at: snippet.createdAt,
    updated_at: snippet.updatedAt,
    project_id: snippet.projectId,
    web_url: web,
    raw_url: `${web}/raw`,
    imported: false,
    imported_from: "none",
    file_name: names[0] ?? null,
    ...(isSingle
      ? {
          ssh_url_to_repo: `git@${new URL(world.url).host}:${path}.git`,
          http_url_to_repo: `${world.url}/${path}.git`,
          files: names.map((name) => ({
            path: name,
            raw_url: `${web}/raw/${branch}/${encodeURIComponent(name)}`,
          })),
        }
      : {}),
  };
}

/** Creates a snippet. GitLab sets its dates and ignores those in the request. */
async function create(c: RestContext, world: GitlabWorld, project: Project | null): Promise<Response> {
  const user = requireUser(c);
  if (user instanceof Response) return user;
  const body = await readParameters(c, world, creation);
  if (body instanceof Response) return body;
  if (body.files === undefined && (body.content === undefined || body.file_name === undefined)) {
    return fault(c, world, 400, {
      error: "files, content are missing, exactly one parameter must be provided",
    });
  }
  const files: SnippetFile[] = body.files?.map(({ file_path, content }) => ({
    path: file_path,
    content,
  })) ?? [{ path: body.file_name ?? "snippetfile1.txt", content: body.content ?? "" }];
  const wrong = fileFault(files, []);
  if (wrong) return problem(c, 400, wrong);
  if (body.title.length > 255) return problem(c, 400, { title: ["is too long (maximum is 255 characters)"] });
  const { title, description } = body;
  const order = {
    projectId: project?.id ?? null,
    authorId: user.id,
    title,
    description: description ?? null,
  };
  const snippet = await createSnippet(world, { ...order, visibility: body.visibility }, files);
  return c.json(renderSnippet(world, snippet, true), 201);
}

async function edit(c: RestContext, world: GitlabWorld, snippet: Snippet): Promise<Response> {
  const body = await readParameters(c, world, change);
  if (body instanceof Response) return body;
  const names = snippetFiles(world, snippet);
  const files: SnippetFile[] = (body.files ?? []).map((file) => ({
    path: file.file_path ?? "",
    content: file.content ?? "",
    action: file.action,
    previousPath: file.previous_path,
  }));
  if (body.content !== undefined && names.length > 1) {
    return problem(c, 400, "To update Snippets with multiple files, you must use the `files` parameter");
  }
  if (body.content !== undefined)
    files.push({ path: body.file_name ?? names[0] ?? "snippetfile1.txt", content: body.content });
  const wrong = fileFault(files, names);
  if (wrong) return problem(c, 400, wrong);
  snippet.title = body.title ?? snippet.title;
  if (body.description !== undefined) snippet.description = body.description;
  snippet.visibility = body.visibility ?? snippet.visibility;
  snippet.updatedAt = timestamp();
  await changeFiles(world, snippet, files);
  world.save();
  return c.json(renderSnippet(world, snippet, true));
}

/** The error when a snippet would not have one to ten files, or when a new or changed one is empty; null = none. */
function fileFault(files: readonly SnippetFile[], before: readonly string[]): string | null {
  const names = new Set(before);
  for (const { path, content, action, previousPath } of files) {
    if (path === "" || /(^|\/)\.\.?(\/|$)|^\/|\.git(\/|$)/.test(path))
      return "file_path should be a valid file path";
    if (action === "delete") names.delete(path);
    else names.add(path);
    if (action === "move" && previousPath) names.delete(previousPath);
    if (content === "" && action !== "delete" && action !== "move") return "Snippet files can't be blank";
  }
  if (names.size === 0) return "Files can't be empty";
  return names.size > SNIPPET_FILE_LIMIT ? `Files can't contain more than ${SNIPPET_FILE_LIMIT} files` : null;
}

function raw(
  c: Context,
  world: GitlabWorld,
  snippet: Snippet,
  ref: string | null,
  file: string | null,
): Response {
  const directory = snippetDirectory(world, snippet);
  if (isEmptyBare(directory)) return c.body("", 200, { "Content-Type": "text/plain" });
  const sha = resolveCommit(directory, ref ?? headBranch(directory));
  const name = file ?? snippetFiles(world, snippet)[0];
  if (sha === null || name === undefined) return notFound(c, "Snippet File");
  const id = runGit(directory, ["ls-tree", sha, "--", name]).split(/\s+/)[2];
  if (id === undefined) return notFound(c, "Snippet File");
  return c.body(readGitBlob(directory, id), 200, {
    "Content-Type": "text/plain; charset=utf-8",
  });
}
