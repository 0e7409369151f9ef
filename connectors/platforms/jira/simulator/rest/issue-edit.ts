import { Hono } from "hono";
import { z } from "zod";
import { readFields } from "../issue-input.ts";
import { deleteIssue, editIssue, transitionIssue, transitionsFrom } from "../issues.ts";
import { tellPeople } from "../mails.ts";
import { hasPermission } from "../permissions.ts";
import { invalid, Refused } from "../refused.ts";
import { renderStatus } from "../render-config.ts";
import { renderFieldMeta } from "../render-meta.ts";
import type { Issue, Transition } from "../state.ts";
import { byId, childrenOf, projectOf } from "../store.ts";
import { mayUse, problemOfTransition } from "../transitions.ts";
import type { Viewer } from "../viewer.ts";
import { issueFor, issueIn, type RestEnv, readBody } from "./reach.ts";

const fields = z.record(z.string(), z.unknown()).default({});
const operations = z.record(z.string(), z.array(z.record(z.string(), z.unknown()))).default({});
const editOrder = z.strictObject({
  fields,
  update: operations,
  properties: z.array(z.strictObject({ key: z.string(), value: z.json() })).default([]),
  historyMetadata: z.unknown().optional(),
});
const transitionOrder = z.strictObject({
  transition: z.looseObject({ id: z.string() }),
  fields,
  update: z.record(z.string(), z.unknown()).optional(),
  properties: z.array(z.unknown()).optional(),
  historyMetadata: z.unknown().optional(),
});

/** Changing, moving and deleting an issue. */
export function issueEditRoutes(): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.put("/issue/:key", async (c) => {
    const viewer = c.get("viewer");
    const issue = issueFor(viewer, c.req.param("key"), "EDIT_ISSUES");
    const order = await readBody(c, editOrder);
    const input = { ...order.fields, ...applied(issue, order.update) };
    const values = checked(viewer, issue, input);
    editIssue(viewer.world, viewer.site, viewer.person.accountId, { issue, values });
    for (const { key, value } of order.properties) issue.properties[key] = value;
    if (!isQuiet(viewer, issue, c.req.query("notifyUsers"))) tellPeople(viewer, issue);
    return c.body(null, 204);
  });
  app.delete("/issue/:key", (c) => {
    const viewer = c.get("viewer");
    const issue = issueFor(viewer, c.req.param("key"), "DELETE_ISSUES");
    const hasSubtasks = childrenOf(viewer.world, viewer.site, issue).some(
      ({ typeId }) => byId(viewer.site.issueTypes, typeId).level === -1,
    );
    if (hasSubtasks && c.req.query("deleteSubtasks") !== "true") {
      throw invalid(
        "The issue has subtasks. You must specify the 'deleteSubtasks' parameter to delete this issue and all its subtasks.",
      );
    }
    deleteIssue(viewer.world, viewer.site, issue);
    return c.body(null, 204);
  });
  app.put("/issue/:key/assignee", async (c) => {
    const viewer = c.get("viewer");
    const issue = issueFor(viewer, c.req.param("key"), "ASSIGN_ISSUES");
    const order = await readBody(c, z.looseObject({ accountId: z.string().nullable() }));
    const assignee = order.accountId === null ? null : { accountId: order.accountId };
    const values = checked(viewer, issue, { assignee });
    editIssue(viewer.world, viewer.site, viewer.person.accountId, { issue, values });
    return c.body(null, 204);
  });
  app.get("/issue/:key/editmeta", (c) => {
    const viewer = c.get("viewer");
    const issue = issueIn(viewer, c.req.param("key"));
    const type = byId(viewer.site.issueTypes, issue.typeId);
    const meta = renderFieldMeta(viewer, projectOf(viewer.site, issue), type, null);
    const shown = meta
      .filter(({ fieldId }) => fieldId !== "project")
      .map(({ fieldId, ...one }) => [fieldId, one]);
    return c.json({ fields: Object.fromEntries(shown) });
  });
  app.get("/issue/:key/transitions", (c) => {
    const viewer = c.get("viewer");
    const issue = issueIn(viewer, c.req.param("key"));
    const isWhole = (c.req.query("expand") ?? "").includes("transitions.fields");
    const found = transitionsFrom(viewer.site, issue).filter((transition) =>
      mayUse(viewer, issue, transition),
    );
    const transitions = found.map((transition) => renderTransition(viewer, issue, transition, isWhole));
    return c.json({ expand: "transitions", transitions });
  });
  app.post("/issue/:key/transitions", async (c) => {
    const viewer = c.get("viewer");
    const issue = issueIn(viewer, c.req.param("key"));
    const order = await readBody(c, transitionOrder);
    const transition = transitionsFrom(viewer.site, issue).find(({ id }) => id === order.transition.id);
    if (!transition || !mayUse(viewer, issue, transition)) {
      throw invalid(`Transition id '${order.transition.id}' is not valid for this issue.`);
    }
    const onScreen = new Set(transition.screen ?? []);
    const odd = Object.keys(order.fields).filter((id) => !onScreen.has(id));
    if (odd.length > 0) {
      const message = (id: string) =>
        `Field '${id}' cannot be set. It is not on the appropriate screen, or unknown.`;
      throw new Refused(400, null, Object.fromEntries(odd.map((id) => [id, message(id)])));
    }
    const values = checked(viewer, issue, order.fields, true);
    const problem = problemOfTransition(viewer, issue, transition, values);
    if (problem) throw new Refused(400, null, problem);
    transitionIssue(viewer.world, viewer.site, viewer.person.accountId, { issue, transition, values });
    tellPeople(viewer, issue);
    return c.body(null, 204);
  });
  return app;
}

/** Whether nobody is told: only administrators may ask for that; of others the wish is ignored. */
function isQuiet(viewer: Viewer, issue: Issue, notifyUsers: string | undefined): boolean {
  if (notifyUsers !== "false") return false;
  return viewer.member.isAdmin || hasPermission(viewer, "ADMINISTER_PROJECTS", projectOf(viewer.site, issue));
}

function checked(viewer: Viewer, issue: Issue, input: Record<string, unknown>, isTransition = false) {
  const project = projectOf(viewer.site, issue);
  const type = byId(viewer.site.issueTypes, issue.typeId);
  const { values, errors } = readFields(viewer, { project, type, issue, input, isTransition });
  if (values.summary === null) errors.summary = "You must specify a summary of the issue.";
  if (Object.keys(errors).length > 0) throw new Refused(400, null, errors);
  return values;
}

/** `update` of lists of texts, e.g. labels: `[{ add: "x" }, { remove: "y" }]`; and of everything: `[{ set: … }]`. */
function applied(issue: Issue, update: z.output<typeof operations>): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [id, steps] of Object.entries(update)) {
    for (const step of steps) {
      const [[verb, value] = []] = Object.entries(step);
      const before = (result[id] ?? issue.values[id] ?? []) as unknown[];
      if (verb === "set") result[id] = value;
      else if (id === "labels" && verb === "add") result[id] = [...before, value];
      else if (id === "labels" && verb === "remove") result[id] = before.filter((one) => one !== value);
      else throw invalid(`The simulator does not know the operation '${verb}' of '${id}'.`);
    }
  }
  return result;
}

function renderTransition(viewer: Viewer, issue: Issue, transition: Transition, isWhole: boolean) {
  const { site } = viewer;
  const type = byId(site.issueTypes, issue.typeId);
  const meta = isWhole ? renderFieldMeta(viewer, projectOf(site, issue), type, transition) : [];
  return {
    id: transition.id,
    name: transition.name,
    to: renderStatus(viewer, byId(site.statuses, transition.to)),
    hasScreen: (transition.screen?.length ?? 0) > 0,
    isGlobal: transition.kind === "GLOBAL",
    isInitial: false,
    isAvailable: true,
    isConditional: transition.condition !== undefined,
    looped: false,
    ...(isWhole ? { fields: Object.fromEntries(meta.map(({ fieldId, ...one }) => [fieldId, one])) } : {}),
  };
}
