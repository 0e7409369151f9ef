import { Hono } from "hono";
import { z } from "zod";
import { generate } from "./generate.ts";
import { addEvents, addSystemNote, changeableOf, createIssue, makeNote, setState } from "./issuables.ts";
import { findUser } from "./namespaces.ts";
import { touchProject } from "./projects.ts";
import { changeFiles, createSnippet, deleteSnippet } from "./snippets.ts";
import { type GitlabWorld, type Issue, type Project, timestamp } from "./state.ts";

const amount = z.number().int().min(0).max(100_000).default(0);
const generation = z.strictObject({
  issues: amount,
  notes: amount,
  labels: amount,
  milestones: amount,
  mergeRequests: amount,
  releases: amount,
});
const issueOrder = z.strictObject({
  title: z.string().default("Something is wrong"),
  description: z.string().nullable().default(null),
  login: z.string().optional(),
  labels: z.array(z.string()).default([]),
});
const issueChange = z.strictObject({
  title: z.string().optional(),
  description: z.string().optional(),
  event: z.enum(["close", "reopen"]).optional(),
});
const noteOrder = z.strictObject({ body: z.string(), login: z.string().optional() });
const snippetOrder = z.strictObject({
  login: z.string(),
  title: z.string(),
  project: z.string().optional(),
  files: z.array(z.strictObject({ path: z.string(), content: z.string() })).min(1),
});

/** Control routes that edit issues and snippets as people would, and generate large sets. */
export function recordControlRoutes(world: GitlabWorld, find: (key: string) => Project): Hono {
  const app = new Hono();
  const base = "/projects/:id";
  const userId = (login: string | undefined) =>
    (login === undefined ? world.state.users[0] : findUser(world, login))?.id ?? 0;
  const findIssue = (project: Project, iid: string): Issue => {
    const issue = project.issues.find((known) => known.iid === Number(iid));
    if (!issue) throw new Error(`There is no issue ${iid}`);
    return issue;
  };
  app.get("/notifications", (c) => c.json({ notifications: world.state.notifications }));
  app.post(`${base}/generate`, async (c) => {
    const project = find(c.req.param("id"));
    await generate(world, project, generation.parse(await c.req.json()));
    return c.json({ issues: project.issues.length, mergeRequests: project.mergeRequests.length });
  });
  app.post(`${base}/issues`, async (c) => {
    const { login, ...order } = issueOrder.parse(await c.req.json());
    const project = find(c.req.param("id"));
    const issue = createIssue(world, project, { ...order, authorId: userId(login) });
    addEvents(world, issue, { userId: userId(login) });
    touchProject(world, project);
    return c.json({ id: issue.id, iid: issue.iid }, 201);
  });
  app.post(`${base}/issues/:iid/edit`, async (c) => {
    const project = find(c.req.param("id"));
    const issue = findIssue(project, c.req.param("iid"));
    const { event, ...change } = issueChange.parse(await c.req.json());
    if (change.description !== undefined)
      addSystemNote(world, issue, userId(undefined), "changed the description");
    const before = changeableOf(issue);
    Object.assign(issue, change);
    if (event) setState(issue, event, userId(undefined));
    addEvents(world, issue, { userId: userId(undefined), before });
    issue.updatedAt = timestamp();
    touchProject(world, project);
    return c.body(null, 204);
  });
  app.post(`${base}/issues/:iid/delete`, (c) => {
    const project = find(c.req.param("id"));
    const issue = findIssue(project, c.req.param("iid"));
    project.issues = project.issues.filter((known) => known !== issue);
    touchProject(world, project);
    return c.body(null, 204);
  });
  app.post(`${base}/issues/:iid/notes`, async (c) => {
    const { body, login } = noteOrder.parse(await c.req.json());
    const issue = findIssue(find(c.req.param("id")), c.req.param("iid"));
    const note = makeNote(world, { body, authorId: userId(login) });
    issue.notes.push(note);
    issue.updatedAt = timestamp();
    world.save();
    return c.json({ id: note.id }, 201);
  });
  app.post(`${base}/issues/:iid/notes/:note/delete`, (c) => {
    const issue = findIssue(find(c.req.param("id")), c.req.param("iid"));
    issue.notes = issue.notes.filter(({ id }) => id !== Number(c.req.param("note")));
    world.save();
    return c.body(null, 204);
  });
  snippetControl(app, world, find);
  return app;
}

function snippetControl(app: Hono, world: GitlabWorld, find: (key: string) => Project): void {
  const findSnippet = (id: string) => {
    const snippet = world.state.snippets.find((known) => known.id === Number(id));
    if (!snippet) throw new Error(`There is no snippet ${id}`);
    return snippet;
  };
  app.post("/snippets", async (c) => {
    const { login, title, project, files } = snippetOrder.parse(await c.req.json());
    const author = findUser(world, login);
    if (!author) throw new Error(`There is no user ${login}`);
    const projectId = project === undefined ? null : find(project).id;
    const snippet = await createSnippet(world, { projectId, authorId: author.id, title }, files);
    return c.json({ id: snippet.id }, 201);
  });
  app.post("/snippets/:id/edit", async (c) => {
    const snippet = findSnippet(c.req.param("id"));
    const order = snippetOrder
      .pick({ title: true, files: true })
      .partial()
      .parse(await c.req.json());
    snippet.title = order.title ?? snippet.title;
    snippet.updatedAt = timestamp();
    await changeFiles(world, snippet, order.files ?? []);
    world.save();
    return c.body(null, 204);
  });
  app.post("/snippets/:id/delete", (c) => {
    deleteSnippet(world, findSnippet(c.req.param("id")));
    return c.body(null, 204);
  });
}
