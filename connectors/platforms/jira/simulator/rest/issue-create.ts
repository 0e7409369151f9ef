import { Hono } from "hono";
import { z } from "zod";
import { readFields } from "../issue-input.ts";
import { createIssue, transitionIssue, transitionsFrom } from "../issues.ts";
import { tellPeople } from "../mails.ts";
import { hasPermission } from "../permissions.ts";
import { Refused } from "../refused.ts";
import { renderIssueType } from "../render-config.ts";
import { renderFieldMeta } from "../render-meta.ts";
import type { Issue, IssueType, Project } from "../state.ts";
import { findProject, keyOf, typesOf } from "../store.ts";
import { problemOfTransition } from "../transitions.ts";
import type { Viewer } from "../viewer.ts";
import { numberOf, projectIn, type RestEnv, readBody, requirePermission } from "./reach.ts";

const createOrder = z.strictObject({
  fields: z.record(z.string(), z.unknown()).default({}),
  properties: z.array(z.strictObject({ key: z.string().min(1).max(255), value: z.json() })).default([]),
  transition: z.looseObject({ id: z.string() }).optional(),
  historyMetadata: z.unknown().optional(),
});
type CreateOrder = z.output<typeof createOrder>;
const bulkOrder = z.strictObject({ issueUpdates: z.array(z.unknown()).min(1).max(50) });

/** Making issues, and what can be set when one is made. */
export function issueCreateRoutes(): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.post("/issue", async (c) => {
    const viewer = c.get("viewer");
    const order = await readBody(c, createOrder);
    return c.json(create(viewer, order), 201);
  });
  app.post("/issue/bulk", async (c) => {
    const viewer = c.get("viewer");
    const { issueUpdates } = await readBody(c, bulkOrder);
    const issues: object[] = [];
    const errors: object[] = [];
    issueUpdates.forEach((given, failedElementNumber) => {
      const failed = (status: number, { errorMessages, errors: byField }: Refused["body"]) =>
        errors.push({
          status,
          elementErrors: { errorMessages, errors: byField, status },
          failedElementNumber,
        });
      const order = createOrder.safeParse(given);
      if (!order.success) {
        failed(400, { errorMessages: ["Invalid request payload."], errors: {} });
        return;
      }
      try {
        issues.push(create(viewer, order.data));
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        failed(error.status, error.body);
      }
    });
    return c.json({ issues, errors }, issues.length === 0 ? 400 : 201);
  });
  app.get("/issue/createmeta/:project/issuetypes", (c) => {
    const viewer = c.get("viewer");
    const project = projectIn(viewer, c.req.param("project"));
    requirePermission(viewer, "CREATE_ISSUES", project);
    const types = typesOf(viewer.site, project).map((type) => renderIssueType(viewer, type));
    const startAt = numberOf(c, "startAt", 0);
    const maxResults = Math.min(numberOf(c, "maxResults", 50), 200);
    return c.json({
      startAt,
      maxResults,
      total: types.length,
      issueTypes: types.slice(startAt, startAt + maxResults),
    });
  });
  app.get("/issue/createmeta/:project/issuetypes/:type", (c) => {
    const viewer = c.get("viewer");
    const project = projectIn(viewer, c.req.param("project"));
    requirePermission(viewer, "CREATE_ISSUES", project);
    const type = typesOf(viewer.site, project).find(({ id }) => id === c.req.param("type"));
    if (!type) throw new Refused(400, "The issue type was not found in this project.");
    const fields = renderFieldMeta(viewer, project, type, null);
    const startAt = numberOf(c, "startAt", 0);
    const maxResults = Math.min(numberOf(c, "maxResults", 50), 200);
    return c.json({
      startAt,
      maxResults,
      total: fields.length,
      fields: fields.slice(startAt, startAt + maxResults),
    });
  });
  return app;
}

/** Makes one issue. @throws Refused with a message for each wrong field */
function create(viewer: Viewer, order: CreateOrder) {
  const { project: givenProject, issuetype, ...input } = order.fields;
  const project = readProject(viewer, givenProject);
  const type = readType(viewer, project, issuetype);
  const { values, errors } = readFields(viewer, { project, type, issue: null, input });
  if (errors.summary === undefined && typeof values.summary !== "string") {
    errors.summary = "You must specify a summary of the issue.";
  }
  if (type.level === -1 && values.parent === undefined && errors.parent === undefined) {
    errors.parentId = "Issue type is a sub-task but parent issue key or id not specified.";
  }
  if (Object.keys(errors).length > 0) throw new Refused(400, null, errors);
  const properties = Object.fromEntries(order.properties.map(({ key, value }) => [key, value]));
  const { world, site, person } = viewer;
  const issue = createIssue(world, site, person.accountId, {
    projectId: project.id,
    typeId: type.id,
    values,
    properties,
  });
  tellPeople(viewer, issue);
  const key = keyOf(site, issue);
  const transition = order.transition ? { transition: move(viewer, issue, order.transition.id) } : {};
  return { id: issue.id, key, self: `${viewer.base}/rest/api/3/issue/${issue.id}`, ...transition };
}

function readProject(viewer: Viewer, given: unknown): Project {
  const { id, key } = (given ?? {}) as { id?: unknown; key?: unknown };
  const name = id ?? key;
  const project = typeof name === "string" ? findProject(viewer.site, name) : null;
  if (!project || !hasPermission(viewer, "BROWSE_PROJECTS", project)) {
    throw new Refused(400, null, { project: "Specify a valid project ID or key" });
  }
  requireCreate(viewer, project);
  return project;
}

function requireCreate(viewer: Viewer, project: Project): void {
  if (project.isArchived || project.trashedAt !== null || !hasPermission(viewer, "CREATE_ISSUES", project)) {
    throw new Refused(400, null, { project: "You do not have permission to create issues in this project." });
  }
}

function readType(viewer: Viewer, project: Project, given: unknown): IssueType {
  const { id, name } = (given ?? {}) as { id?: unknown; name?: unknown };
  const type = typesOf(viewer.site, project).find((one) =>
    id === undefined ? one.name === name : one.id === id,
  );
  if (!type) throw new Refused(400, null, { issuetype: "Specify a valid issue type" });
  return type;
}

/** A new issue moves on after it was made; it stays when that fails. */
function move(viewer: Viewer, issue: Issue, transitionId: string) {
  const { world, site, person } = viewer;
  const transition = transitionsFrom(site, issue).find(({ id }) => id === transitionId);
  const errors = transition ? problemOfTransition(viewer, issue, transition, {}) : null;
  if (!transition || errors) {
    const errorMessages = transition ? [] : [`Transition id '${transitionId}' is not valid for this issue.`];
    return { status: 400, errorCollection: { errorMessages, errors: errors ?? {}, status: 400 } };
  }
  transitionIssue(world, site, person.accountId, { issue, transition });
  return { status: 200, errorCollection: { errorMessages: [], errors: {} } };
}
