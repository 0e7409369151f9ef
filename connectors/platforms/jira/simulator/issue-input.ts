import { kindOf } from "./field-kinds.ts";
import { readValue, WrongValue } from "./field-values.ts";
import { hasPermission } from "./permissions.ts";
import type { FieldValue, Issue, IssueType, Project, Site } from "./state.ts";
import { byId, fieldsOf } from "./store.ts";
import type { Viewer } from "./viewer.ts";

/** Fields as read: stored values, and Jira's messages about those that are refused. */
export type ReadFields = { values: Record<string, FieldValue>; errors: Record<string, string> };

/** Fields that only some permissions allow to set. */
const GUARDED: Record<string, string> = {
  reporter: "MODIFY_REPORTER",
  assignee: "ASSIGN_ISSUES",
  security: "SET_ISSUE_SECURITY",
  duedate: "SCHEDULE_ISSUES",
};

/** Reads the fields of a request strictly: each must exist in the project, be on its screen, and fit its type. */
export function readFields(
  viewer: Viewer,
  order: {
    project: Project;
    type: IssueType;
    issue: Issue | null;
    input: Record<string, unknown>;
    /** The screen of a transition, on which a resolution can be set. */
    isTransition?: boolean;
  },
): ReadFields {
  const { project, type, issue, input } = order;
  const read: ReadFields = { values: {}, errors: {} };
  const known = new Map(settableFields(viewer.site, project, type).map((field) => [field.id, field]));
  if (order.isTransition) known.set("resolution", byId(viewer.site.fields, "resolution"));
  for (const [id, given] of Object.entries(input)) {
    const field = known.get(id);
    const guard = GUARDED[id];
    const isAllowed = guard === undefined || hasPermission(viewer, guard, project, issue);
    if (!field || !isAllowed) {
      read.errors[id] = `Field '${id}' cannot be set. It is not on the appropriate screen, or unknown.`;
      continue;
    }
    try {
      const setting = { world: viewer.world, site: viewer.site, project, typeLevel: type.level, issue };
      const value = readValue(setting, field, given);
      read.values[id] = kindOf(field) === "sprint" ? withClosedSprints(viewer.site, issue, id, value) : value;
    } catch (error) {
      if (!(error instanceof WrongValue)) throw error;
      read.errors[id] = error.message;
    }
  }
  return read;
}

/** The fields on the create and edit screens of a type in a project. */
export function settableFields(site: Site, project: Project, type: IssueType) {
  return fieldsOf(site, project).filter((field) => {
    const kind = kindOf(field);
    if (kind === "derived" || kind === "rank" || field.id === "resolution") return false;
    if (field.id === "security") return project.schemeIds.security !== undefined;
    // An epic has no parent below the paid hierarchy of plans.
    if (field.id === "parent") return type.level < 1;
    return true;
  });
}

/** Closed sprints stay in the value: they are its history. */
function withClosedSprints(site: Site, issue: Issue | null, fieldId: string, value: FieldValue): FieldValue {
  const before = (issue?.values[fieldId] as string[] | undefined) ?? [];
  const closed = before.filter((id) => site.sprints.find((sprint) => sprint.id === id)?.state === "closed");
  const all = [...closed, ...((value as string[] | null) ?? [])];
  return all.length === 0 ? null : all;
}
