import { traceOf } from "./change-text.ts";
import { nextId, rankOfNumber } from "./ids.ts";
import type { ChangeItem, FieldValue, Issue, JiraWorld, Site, Transition } from "./state.ts";
import {
  byId,
  childrenOf,
  forgetIssue,
  indexIssue,
  indexOf,
  keyOf,
  parentIdOf,
  projectOf,
  statusOf,
  workflowOf,
} from "./store.ts";

export type IssueOrder = {
  projectId: string;
  typeId: string;
  /** Stored values by field id. */
  values: Record<string, FieldValue>;
  properties?: Record<string, unknown>;
  at?: number;
};

/** Makes an issue in the first status of its workflow. Its creator watches it. */
export function createIssue(world: JiraWorld, site: Site, byAccount: string, order: IssueOrder): Issue {
  const project = byId(site.projects, order.projectId);
  const at = order.at ?? Date.now();
  const id = nextId(site, "issue");
  project.lastNumber += 1;
  const initial = workflowOf(site, project, order.typeId).transitions.find(({ kind }) => kind === "INITIAL");
  const issue: Issue = {
    id,
    projectId: project.id,
    number: project.lastNumber,
    typeId: order.typeId,
    statusId: initial?.to ?? "",
    statusSince: at,
    creatorId: byAccount,
    createdAt: at,
    updatedAt: at,
    resolvedAt: null,
    rank: rankOfNumber(Number(id)),
    values: { priority: "3", reporter: byAccount, ...order.values },
    ...{ comments: [], worklogs: [], attachments: [], changes: [], remoteLinks: [], oldKeys: [] },
    properties: order.properties ?? {},
    watcherIds: [byAccount],
    voterIds: [],
    timeSpentSeconds: 0,
    indexed: null,
    indexDueAt: at + world.settings.indexLagMs,
  };
  site.issues.push(issue);
  indexIssue(world, site, issue);
  world.save();
  return issue;
}

/** Notes that an issue changed: search learns of it after the index's lag. */
export function touch(world: JiraWorld, issue: Issue, at: number = Date.now()): void {
  issue.updatedAt = Math.max(at, issue.updatedAt);
  issue.indexDueAt = Date.now() + world.settings.indexLagMs;
  world.save();
}

/** Sets fields to stored values and writes the history. Values that stay the same leave no trace. */
export function editIssue(
  world: JiraWorld,
  site: Site,
  byAccount: string,
  { issue, values, at = Date.now() }: { issue: Issue; values: Record<string, FieldValue>; at?: number },
): void {
  const project = projectOf(site, issue);
  const items: ChangeItem[] = [];
  for (const [fieldId, value] of Object.entries(values)) {
    const before = issue.values[fieldId] ?? null;
    if (JSON.stringify(before) === JSON.stringify(value)) continue;
    const field = byId(site.fields, fieldId);
    const from = traceOf(world, site, project, field, before);
    const to = traceOf(world, site, project, field, value);
    items.push({
      field: field.typeKey === null ? field.id : field.name,
      fieldId,
      isCustom: field.typeKey !== null,
      from: from.id,
      fromText: from.text,
      to: to.id,
      toText: to.text,
    });
    if (fieldId === "parent")
      indexOf(world, site)
        .childrenOf.get(parentIdOf(issue) ?? "")
        ?.delete(issue);
    issue.values[fieldId] = value;
    if (fieldId === "parent") indexIssue(world, site, issue);
    if (fieldId === "resolution") issue.resolvedAt = value === null ? null : at;
  }
  if (items.length > 0) note(world, site, byAccount, { issue, items, at });
}

/** Writes an entry of the history. */
export function note(
  world: JiraWorld,
  site: Site,
  byAccount: string,
  { issue, items, at = Date.now() }: { issue: Issue; items: ChangeItem[]; at?: number },
): void {
  issue.changes.push({ id: nextId(site, "change"), authorId: byAccount, at, items });
  touch(world, issue, at);
}

/** A change of something that is not a field's value, e.g. an attachment or a link. */
export function partChange(
  field: string,
  from: string | null,
  to: string | null,
  text: string | null = null,
): ChangeItem {
  return { field, fieldId: field, isCustom: false, from, fromText: from && text, to, toText: to && text };
}

/** The transitions that lead out of an issue's status, before conditions. */
export function transitionsFrom(site: Site, issue: Issue): Transition[] {
  return workflowOf(site, projectOf(site, issue), issue.typeId).transitions.filter(
    ({ kind, from }) => kind === "GLOBAL" || (kind === "DIRECTED" && from.includes(issue.statusId)),
  );
}

/** Moves an issue along a transition, with values for the fields of its screen. */
export function transitionIssue(
  world: JiraWorld,
  site: Site,
  byAccount: string,
  order: { issue: Issue; transition: Transition; values?: Record<string, FieldValue>; at?: number },
): void {
  const { issue, transition, values = {}, at = Date.now() } = order;
  const before = statusOf(site, issue);
  const after = byId(site.statuses, transition.to);
  if (before !== after) {
    issue.statusId = after.id;
    if (before.category !== after.category) issue.statusSince = at;
    const item = { field: "status", fieldId: "status", isCustom: false };
    const items = [{ ...item, from: before.id, fromText: before.name, to: after.id, toText: after.name }];
    note(world, site, byAccount, { issue, items, at });
  }
  const set = transition.setsResolution;
  const resolution = set === undefined ? {} : { resolution: set === "" ? null : set };
  editIssue(world, site, byAccount, { issue, values: { ...resolution, ...values }, at });
}

/** Deletes an issue with its sub-tasks and links. */
export function deleteIssue(world: JiraWorld, site: Site, issue: Issue): void {
  const subtasks = childrenOf(world, site, issue).filter(
    ({ typeId }) => byId(site.issueTypes, typeId).level === -1,
  );
  for (const one of [...subtasks, issue]) {
    for (const child of childrenOf(world, site, one)) child.values.parent = null;
    forgetIssue(world, site, one);
    site.issues.splice(site.issues.indexOf(one), 1);
    site.links = site.links.filter(({ fromId, toId }) => fromId !== one.id && toId !== one.id);
  }
  world.save();
}

/** Links two issues. `fromId` is the end that shows the outward name. */
export function linkIssues(
  world: JiraWorld,
  site: Site,
  byAccount: string,
  order: { typeId: string; from: Issue; to: Issue; at?: number },
): void {
  const { typeId, from, to, at } = order;
  // The same link is not made twice.
  if (site.links.some((link) => link.typeId === typeId && link.fromId === from.id && link.toId === to.id))
    return;
  site.links.push({ id: nextId(site, "link"), typeId, fromId: from.id, toId: to.id });
  const type = byId(site.linkTypes, typeId);
  const tell = (issue: Issue, other: Issue, words: string) => {
    const key = keyOf(site, other);
    const items = [partChange("Link", null, key, `This work item ${words} ${key}`)];
    note(world, site, byAccount, { issue, items, at });
  };
  tell(from, to, type.outward);
  tell(to, from, type.inward);
}
