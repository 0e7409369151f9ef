import { nextId } from "./ids.ts";
import { transitionIssue, transitionsFrom } from "./issues.ts";
import { canSeeIssue } from "./permissions.ts";
import type { BulkTask, JiraWorld, Site } from "./state.ts";
import { findIssue, personOf } from "./store.ts";
import { problemOfTransition } from "./transitions.ts";
import { type Viewer, viewerFor } from "./viewer.ts";

/** Begins to move many issues. They move when the task is complete, not before. */
export function startTransitions(
  viewer: Viewer,
  inputs: readonly { issueKeys: readonly string[]; transitionId: string }[],
): BulkTask {
  const { world, site, person } = viewer;
  const now = Date.now();
  const task: BulkTask = {
    id: nextId(site, "task"),
    accountId: person.accountId,
    createdAt: now,
    doneAt: now + world.settings.bulkTaskMs,
    moves: [],
    isRun: false,
    failed: {},
    inaccessible: 0,
  };
  for (const { issueKeys, transitionId } of inputs) {
    for (const key of issueKeys) {
      const issue = findIssue(world, site, key);
      if (issue && canSeeIssue(viewer, issue)) task.moves.push({ issueId: issue.id, transitionId });
      else task.inaccessible += 1;
    }
  }
  site.tasks.push(task);
  world.save();
  return task;
}

/** Runs the tasks of a site whose time has come. */
export function runDueTasks(world: JiraWorld, site: Site): void {
  for (const task of site.tasks) {
    if (task.isRun || task.doneAt > Date.now()) continue;
    task.isRun = true;
    const viewer = viewerFor(world, site, personOf(world, task.accountId));
    for (const { issueId, transitionId } of task.moves) {
      const issue = findIssue(world, site, issueId);
      if (!issue) continue;
      const transition = transitionsFrom(site, issue).find(({ id }) => id === transitionId);
      const problem = transition ? problemOfTransition(viewer, issue, transition, {}) : null;
      if (!transition || problem) {
        const messages = problem ? Object.values(problem) : ["The transition is not valid for this issue."];
        task.failed[issueId] = messages;
      } else transitionIssue(world, site, task.accountId, { issue, transition });
    }
    world.save();
  }
}
