import { Hono } from "hono";
import { z } from "zod";
import { hasPermission } from "../permissions.ts";
import { forbidden } from "../refused.ts";
import type { Scope, Transition, Workflow } from "../state.ts";
import { byId, findProject, workflowOf } from "../store.ts";
import type { Viewer } from "../viewer.ts";
import { renderJiraStatus } from "./configuration.ts";
import { pageOf, type RestEnv, readBody, requireGlobal } from "./reach.ts";

const readOrder = z.strictObject({
  projectAndIssueTypes: z
    .array(z.strictObject({ projectId: z.string(), issueTypeId: z.string() }))
    .max(25)
    .default([]),
  workflowIds: z.array(z.string()).max(25).default([]),
  workflowNames: z.array(z.string()).max(25).default([]),
});

/** Workflows with their transitions. */
export function workflowRoutes(): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.post("/workflows", async (c) => {
    const viewer = c.get("viewer");
    const order = await readBody(c, readOrder);
    const found = new Set(
      viewer.site.workflows.filter(
        ({ id, name }) => order.workflowIds.includes(id) || order.workflowNames.includes(name),
      ),
    );
    for (const { projectId, issueTypeId } of order.projectAndIssueTypes) {
      const project = findProject(viewer.site, projectId);
      if (project) found.add(workflowOf(viewer.site, project, issueTypeId));
    }
    for (const workflow of found) requireSight(viewer, workflow);
    return c.json({
      statuses: statusesOf(viewer, [...found]),
      workflows: [...found].map((workflow) => renderWorkflow(workflow)),
    });
  });
  app.get("/workflows/search", (c) => {
    const viewer = c.get("viewer");
    requireGlobal(viewer, "ADMINISTER");
    const page = pageOf(c, viewer.site.workflows, { usual: 50, most: 1_000 });
    return c.json({
      ...page,
      statuses: statusesOf(viewer, page.values),
      values: page.values.map((workflow) => renderWorkflow(workflow)),
    });
  });
  return app;
}

/** Needs the right to administer Jira, or one project that uses the workflow. */
function requireSight(viewer: Viewer, workflow: Workflow): void {
  if (viewer.member.isAdmin) return;
  const { site } = viewer;
  const isOurs = site.projects.some(
    (project) =>
      hasPermission(viewer, "ADMINISTER_PROJECTS", project) &&
      site.schemes.some(
        (scheme) =>
          scheme.kind === "workflow" &&
          scheme.id === project.schemeIds.workflow &&
          Object.values(scheme.workflowIds ?? {}).includes(workflow.id),
      ),
  );
  if (!isOurs) throw forbidden("You do not have permission to view these workflows.");
}

function renderScope(scope: Scope) {
  return scope === null ? { type: "GLOBAL" } : { type: "PROJECT", project: { id: scope.projectId } };
}

function statusesOf({ site }: Viewer, workflows: readonly Workflow[]) {
  const ids = new Set(workflows.flatMap(({ statusIds }) => statusIds));
  return [...ids].map((id) => ({ ...renderJiraStatus(byId(site.statuses, id)), statusReference: id }));
}

function renderWorkflow(workflow: Workflow) {
  return {
    id: workflow.id,
    name: workflow.name,
    description: workflow.description,
    scope: renderScope(workflow.scope),
    version: { id: workflow.id, versionNumber: 1 },
    isEditable: true,
    startPointLayout: { x: 0, y: 0 },
    statuses: workflow.statusIds.map((statusReference, index) => ({
      statusReference,
      layout: { x: 200 * (index + 1), y: 0 },
      properties: {},
      deprecated: false,
    })),
    transitions: workflow.transitions.map(renderTransition),
  };
}

function renderTransition(transition: Transition) {
  const { condition, required = [], setsResolution } = transition;
  const rule = (ruleKey: string, parameters: Record<string, string>) => ({ ruleKey, parameters });
  const conditions =
    condition === undefined
      ? []
      : condition.kind === "role"
        ? [rule("system:restrict-issue-transition", { roleIds: condition.roleId })]
        : [rule("system:restrict-issue-transition", { accountIds: "allow-assignee" })];
  return {
    id: transition.id,
    type: transition.kind,
    name: transition.name,
    description: "",
    toStatusReference: transition.to,
    links: transition.from.map((fromStatusReference) => ({ fromStatusReference, fromPort: 0, toPort: 0 })),
    ...(transition.screen ? { transitionScreen: rule("system:transition-screen", { screenId: "1" }) } : {}),
    ...(conditions.length === 0 ? {} : { conditions: { operation: "ALL", conditionGroups: [], conditions } }),
    validators: required.map((fieldId) =>
      rule("system:validate-field-value", { ruleType: "fieldRequired", fieldsRequired: fieldId }),
    ),
    actions:
      setsResolution === undefined
        ? []
        : [rule("system:update-field", { field: "resolution", value: setsResolution, mode: "replace" })],
    triggers: [],
    properties: {},
  };
}
