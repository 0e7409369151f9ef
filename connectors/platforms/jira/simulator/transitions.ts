import { hasPermission, isInRole } from "./permissions.ts";
import type { FieldValue, Issue, Transition } from "./state.ts";
import { byId, projectOf } from "./store.ts";
import type { Viewer } from "./viewer.ts";

/** Whether the viewer may use a transition: the permission, and its condition. */
export function mayUse(viewer: Viewer, issue: Issue, { condition }: Transition): boolean {
  const project = projectOf(viewer.site, issue);
  if (!hasPermission(viewer, "TRANSITION_ISSUES", project, issue)) return false;
  if (condition === undefined) return true;
  return condition.kind === "role"
    ? isInRole(viewer.member, project, condition.roleId)
    : issue.values.assignee === viewer.person.accountId;
}

/** Why a transition does not run with these values: messages by field, or null. */
export function problemOfTransition(
  viewer: Viewer,
  issue: Issue,
  transition: Transition,
  values: Record<string, FieldValue>,
): Record<string, string> | null {
  if (!mayUse(viewer, issue, transition)) {
    return {
      transition:
        "It seems that you have tried to perform a workflow operation that is not valid for the current state of this issue.",
    };
  }
  const missing = (transition.required ?? []).filter(
    (id) => (values[id] ?? issue.values[id] ?? null) === null,
  );
  if (missing.length === 0) return null;
  return Object.fromEntries(missing.map((id) => [id, `${byId(viewer.site.fields, id).name} is required.`]));
}
