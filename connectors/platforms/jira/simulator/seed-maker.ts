import { textDocument } from "./adf.ts";
import { readFields } from "./issue-input.ts";
import { addComment } from "./issue-parts.ts";
import { createIssue, editIssue, transitionIssue } from "./issues.ts";
import { typeNamed } from "./projects.ts";
import type { Issue, JiraWorld, Person, Project, Site } from "./state.ts";
import { byId, projectOf, statusOf, workflowOf } from "./store.ts";
import { viewerFor } from "./viewer.ts";

const HOUR_MS = 3_600_000;

/** Makes issues of a project step by step, each three hours after the one before. */
export function seedMaker(world: JiraWorld, site: Site, project: Project, startAt: number) {
  let at = startAt;
  const next = (hours = 3) => {
    at += hours * HOUR_MS;
    return at;
  };
  /** Fields are in the API's form. @throws Error for a field that Jira would refuse */
  const read = (by: Person, issue: Issue | null, typeName: string, input: Record<string, unknown>) => {
    const type = issue ? byId(site.issueTypes, issue.typeId) : typeNamed(site, project, typeName);
    const { values, errors } = readFields(viewerFor(world, site, by), { project, type, issue, input });
    const wrong = Object.entries(errors);
    if (wrong.length > 0) throw new Error(`A seed has wrong fields: ${JSON.stringify(wrong)}`);
    return { type, values };
  };
  return {
    next,
    issue(
      by: Person,
      order: { type: string; summary: string; text?: string; fields?: Record<string, unknown> },
    ): Issue {
      const description = order.text === undefined ? {} : { description: textDocument(order.text) };
      const input = { summary: order.summary, ...description, ...order.fields };
      const { type, values } = read(by, null, order.type, input);
      return createIssue(world, site, by.accountId, {
        projectId: project.id,
        typeId: type.id,
        values,
        at: next(),
      });
    },
    edit(by: Person, issue: Issue, input: Record<string, unknown>): void {
      const { values } = read(by, issue, "", input);
      editIssue(world, site, by.accountId, { issue, values, at: next(1) });
    },
    comment(by: Person, issue: Issue, text: string, more: { isPublic?: boolean } = {}): void {
      addComment(world, site, by.accountId, { issue, body: textDocument(text), at: next(1), ...more });
    },
    /** Walks an issue to a status along its workflow, on the shortest way. */
    moveTo(by: Person, issue: Issue, statusName: string): void {
      for (const transition of pathTo(site, issue, statusName)) {
        const needsResolution = transition.required?.includes("resolution") ?? false;
        const values = needsResolution ? { resolution: "10000" } : {};
        transitionIssue(world, site, by.accountId, { issue, transition, values, at: next(2) });
      }
    },
  };
}

/** The transitions on the shortest way to a status. @throws Error when there is none */
function pathTo(site: Site, issue: Issue, statusName: string) {
  const { transitions } = workflowOf(site, projectOf(site, issue), issue.typeId);
  const start = statusOf(site, issue);
  if (start.name === statusName) return [];
  const seen = new Set([start.id]);
  let front: { at: string; path: typeof transitions }[] = [{ at: start.id, path: [] }];
  while (front.length > 0) {
    const reached: typeof front = [];
    for (const { at, path } of front) {
      for (const transition of transitions) {
        const isOpen =
          transition.kind === "GLOBAL" || (transition.kind === "DIRECTED" && transition.from.includes(at));
        if (!isOpen || seen.has(transition.to)) continue;
        seen.add(transition.to);
        if (byId(site.statuses, transition.to).name === statusName) return [...path, transition];
        reached.push({ at: transition.to, path: [...path, transition] });
      }
    }
    front = reached;
  }
  throw new Error(`No way leads to ${statusName}`);
}
