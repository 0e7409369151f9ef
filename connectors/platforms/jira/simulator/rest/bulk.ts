import { Hono } from "hono";
import { z } from "zod";
import { startTransitions } from "../bulk-tasks.ts";
import { transitionsFrom } from "../issues.ts";
import { canSeeIssue } from "../permissions.ts";
import { invalid } from "../refused.ts";
import { renderUser } from "../render-people.ts";
import type { Workflow } from "../state.ts";
import { byId, findIssue, keyOf, personOf, projectOf, workflowOf } from "../store.ts";
import { jiraTime } from "../times.ts";
import { mayUse } from "../transitions.ts";
import { listOf, type RestEnv, readBody, requireGlobal } from "./reach.ts";

const order = z.strictObject({
  bulkTransitionInputs: z
    .array(z.strictObject({ selectedIssueIdsOrKeys: z.array(z.string()).min(1), transitionId: z.string() }))
    .min(1),
  sendBulkNotification: z.boolean().default(true),
});
const MOST_ISSUES = 1_000;

/** Operations on many issues, which run after their request was answered. */
export function bulkRoutes(): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.get("/bulk/issues/transition", (c) => {
    const viewer = c.get("viewer");
    const { site } = viewer;
    const issues = listOf(c, "issueIdsOrKeys")
      .flatMap((key) => findIssue(viewer.world, site, key) ?? [])
      .filter((issue) => canSeeIssue(viewer, issue));
    const byWorkflow = new Map<Workflow, typeof issues>();
    for (const issue of issues) {
      const workflow = workflowOf(site, projectOf(site, issue), issue.typeId);
      byWorkflow.set(workflow, [...(byWorkflow.get(workflow) ?? []), issue]);
    }
    const availableTransitions = [...byWorkflow.values()].map((group) => {
      const common = transitionsFrom(site, group[0]!).filter((transition) =>
        group.every(
          (issue) => transitionsFrom(site, issue).includes(transition) && mayUse(viewer, issue, transition),
        ),
      );
      return {
        isTransitionsFiltered: false,
        issues: group.map((issue) => keyOf(site, issue)),
        transitions: common.map(({ id, name, to }) => {
          const status = byId(site.statuses, to);
          return {
            transitionId: Number(id),
            transitionName: name,
            to: { statusId: Number(status.id), statusName: status.name },
          };
        }),
      };
    });
    return c.json({ availableTransitions });
  });
  app.post("/bulk/issues/transition", async (c) => {
    const viewer = c.get("viewer");
    requireGlobal(viewer, "BULK_CHANGE");
    const { bulkTransitionInputs } = await readBody(c, order);
    const count = bulkTransitionInputs.reduce((sum, one) => sum + one.selectedIssueIdsOrKeys.length, 0);
    if (count > MOST_ISSUES) throw invalid("The number of issues must not exceed 1000.");
    const inputs = bulkTransitionInputs.map(({ selectedIssueIdsOrKeys: issueKeys, transitionId }) => ({
      issueKeys,
      transitionId,
    }));
    return c.json({ taskId: startTransitions(viewer, inputs).id }, 201);
  });
  app.get("/bulk/queue/:task", (c) => {
    const viewer = c.get("viewer");
    const task = viewer.site.tasks.find(({ id }) => id === c.req.param("task"));
    if (!task || task.accountId !== viewer.person.accountId) throw invalid("The task was not found.");
    const failed = new Set(Object.keys(task.failed));
    const done = task.isRun ? task.moves.map(({ issueId }) => issueId).filter((id) => !failed.has(id)) : [];
    const time = (at: number) => jiraTime(at, viewer.person.timeZone);
    return c.json({
      taskId: task.id,
      status: task.isRun ? "COMPLETE" : "RUNNING",
      submittedBy: renderUser(viewer, personOf(viewer.world, task.accountId)),
      created: time(task.createdAt),
      started: time(task.createdAt),
      updated: time(task.isRun ? task.doneAt : task.createdAt),
      progressPercent: task.isRun ? 100 : 0,
      processedAccessibleIssues: done.map(Number),
      failedAccessibleIssues: task.isRun ? task.failed : {},
      invalidOrInaccessibleIssueCount: task.inaccessible,
      totalIssueCount: task.moves.length + task.inaccessible,
    });
  });
  return app;
}
