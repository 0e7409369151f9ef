import { Hono } from "hono";
import { z } from "zod";
import { textDocument } from "./adf.ts";
import type { ControlWorld } from "./control-world.ts";
import { generateIssues } from "./generate.ts";
import { readFields } from "./issue-input.ts";
import { addComment, addWorklog, attachFile, deleteAttachment } from "./issue-parts.ts";
import {
  createIssue,
  deleteIssue,
  editIssue,
  linkIssues,
  touch,
  transitionIssue,
  transitionsFrom,
} from "./issues.ts";
import { typeNamed } from "./projects.ts";
import type { Issue, Site } from "./state.ts";
import { findIssue, findProject, keyOf, projectOf } from "./store.ts";
import { viewerFor } from "./viewer.ts";

const login = z.string().default("nora@meridian.example");
const at = z.number().optional();
/** Fields in the API's form. */
const fields = z.record(z.string(), z.unknown()).default({});
const count = z.number().int().min(0).default(0);

/** Control routes for issues and what belongs to them, as other people would change them. */
export function controlIssues({ world, person, site }: ControlWorld): Hono {
  const app = new Hono().basePath("/sites/:site");
  const issueAt = (slug: string, key: string): [Site, Issue] => {
    const known = site(slug);
    const issue = findIssue(world, known, key);
    if (!issue) throw new Error(`There is no issue ${key}`);
    return [known, issue];
  };
  const projectAt = (slug: string, key: string) => {
    const project = findProject(site(slug), key);
    if (!project) throw new Error(`There is no project ${key}`);
    return project;
  };
  const facts = (known: Site, issue: Issue) => ({ id: issue.id, key: keyOf(known, issue) });
  app.post("/projects/:key/issues", async (c) => {
    const schema = z.strictObject({
      login,
      type: z.string().optional(),
      summary: z.string(),
      text: z.string().optional(),
      fields,
      at,
    });
    const order = schema.parse(await c.req.json());
    const known = site(c.req.param("site"));
    const project = projectAt(c.req.param("site"), c.req.param("key"));
    const type = typeNamed(known, project, order.type);
    const by = person(order.login);
    const description = order.text === undefined ? {} : { description: textDocument(order.text) };
    const input = { summary: order.summary, ...description, ...order.fields };
    const { values } = readFields(viewerFor(world, known, by), { project, type, issue: null, input });
    const issue = createIssue(world, known, by.accountId, {
      projectId: project.id,
      typeId: type.id,
      values,
      at: order.at,
    });
    return c.json(facts(known, issue), 201);
  });
  app.post("/projects/:key/generate", async (c) => {
    const schema = z.strictObject({
      issues: count,
      comments: count,
      worklogs: count,
      attachments: count,
      attachmentBytes: z.number().int().min(0).default(1_000),
    });
    const order = schema.parse(await c.req.json());
    const made = generateIssues(
      world,
      site(c.req.param("site")),
      projectAt(c.req.param("site"), c.req.param("key")),
      order,
    );
    return c.json({ issues: made.map(({ id }) => id) });
  });
  app.post("/issues/:key/edit", async (c) => {
    const [known, issue] = issueAt(c.req.param("site"), c.req.param("key"));
    const order = z.strictObject({ login, fields, at }).parse(await c.req.json());
    const by = person(order.login);
    const project = projectOf(known, issue);
    const type = known.issueTypes.find(({ id }) => id === issue.typeId)!;
    const { values } = readFields(viewerFor(world, known, by), { project, type, issue, input: order.fields });
    editIssue(world, known, by.accountId, { issue, values, at: order.at });
    return c.body(null, 204);
  });
  app.post("/issues/:key/delete", (c) => {
    deleteIssue(world, ...issueAt(c.req.param("site"), c.req.param("key")));
    return c.body(null, 204);
  });
  app.post("/issues/:key/transition", async (c) => {
    const [known, issue] = issueAt(c.req.param("site"), c.req.param("key"));
    const order = z.strictObject({ login, to: z.string(), at }).parse(await c.req.json());
    const transition = transitionsFrom(known, issue).find(
      ({ to }) => known.statuses.find(({ id }) => id === to)?.name === order.to,
    );
    if (!transition) throw new Error(`There is no transition to ${order.to}`);
    transitionIssue(world, known, person(order.login).accountId, { issue, transition, at: order.at });
    return c.body(null, 204);
  });
  app.post("/issues/:key/comments", async (c) => {
    const [known, issue] = issueAt(c.req.param("site"), c.req.param("key"));
    const schema = z.strictObject({
      login,
      text: z.string(),
      isPublic: z.boolean().default(true),
      role: z.string().optional(),
      at,
    });
    const { login: by, text, isPublic, role, at: when } = schema.parse(await c.req.json());
    const identifier = known.roles.find(({ name }) => name === role)?.id;
    const visibility = identifier === undefined ? null : { type: "role" as const, identifier };
    const comment = addComment(world, known, person(by).accountId, {
      issue,
      body: textDocument(text),
      isPublic,
      visibility,
      at: when,
    });
    return c.json({ id: comment.id }, 201);
  });
  app.post("/issues/:key/comments/:id/delete", (c) => {
    const [, issue] = issueAt(c.req.param("site"), c.req.param("key"));
    issue.comments = issue.comments.filter(({ id }) => id !== c.req.param("id"));
    touch(world, issue);
    return c.body(null, 204);
  });
  app.post("/issues/:key/worklogs", async (c) => {
    const [known, issue] = issueAt(c.req.param("site"), c.req.param("key"));
    const schema = z.strictObject({ login, seconds: z.number(), text: z.string().optional(), at });
    const { login: by, seconds, text, at: when = Date.now() } = schema.parse(await c.req.json());
    const comment = text === undefined ? null : textDocument(text);
    const { id } = addWorklog(world, known, person(by).accountId, {
      issue,
      seconds,
      startedAt: when,
      comment,
      at: when,
    });
    return c.json({ id }, 201);
  });
  app.post("/issues/:key/attachments", async (c) => {
    const [known, issue] = issueAt(c.req.param("site"), c.req.param("key"));
    const schema = z.strictObject({
      login,
      fileName: z.string(),
      mimeType: z.string().default("text/plain"),
      text: z.string(),
      at,
    });
    const { login: by, text, ...order } = schema.parse(await c.req.json());
    const attachment = attachFile(world, known, person(by).accountId, {
      issue,
      ...order,
      bytes: Buffer.from(text),
    });
    return c.json({ id: attachment.id }, 201);
  });
  app.post("/issues/:key/attachments/:id/delete", async (c) => {
    const [known, issue] = issueAt(c.req.param("site"), c.req.param("key"));
    const attachment = issue.attachments.find(({ id }) => id === c.req.param("id"));
    if (!attachment) throw new Error("There is no such attachment");
    deleteAttachment(world, known, issue.creatorId, issue, attachment);
    return c.body(null, 204);
  });
  app.post("/issues/:key/links", async (c) => {
    const [known, from] = issueAt(c.req.param("site"), c.req.param("key"));
    const order = z.strictObject({ login, type: z.string(), to: z.string() }).parse(await c.req.json());
    const type = known.linkTypes.find(({ name }) => name === order.type);
    if (!type) throw new Error(`There is no type of links ${order.type}`);
    const [, to] = issueAt(c.req.param("site"), order.to);
    linkIssues(world, known, person(order.login).accountId, { typeId: type.id, from, to });
    return c.body(null, 204);
  });
  for (const [path, list] of [
    ["watchers", "watcherIds"],
    ["votes", "voterIds"],
  ] as const) {
    app.post(`/issues/:key/${path}`, async (c) => {
      const [, issue] = issueAt(c.req.param("site"), c.req.param("key"));
      const { accountId } = person(z.strictObject({ login }).parse(await c.req.json()).login);
      // Nothing proves that these count as an update of the issue.
      if (!issue[list].includes(accountId)) issue[list].push(accountId);
      world.save();
      return c.body(null, 204);
    });
  }
  return app;
}
