import type { Actor, Issue, LevelMember, Member, PermissionGrant, Project } from "./state.ts";
import { projectOf, schemeOf } from "./store.ts";
import type { Viewer } from "./viewer.ts";

/** Permissions of a project that the simulator knows, with the names that Jira shows. */
export const PROJECT_PERMISSIONS: Readonly<Record<string, string>> = {
  BROWSE_PROJECTS: "Browse Projects",
  ADMINISTER_PROJECTS: "Administer Projects",
  CREATE_ISSUES: "Create Issues",
  EDIT_ISSUES: "Edit Issues",
  DELETE_ISSUES: "Delete Issues",
  ASSIGN_ISSUES: "Assign Issues",
  MODIFY_REPORTER: "Modify Reporter",
  SET_ISSUE_SECURITY: "Set Issue Security",
  TRANSITION_ISSUES: "Transition Issues",
  SCHEDULE_ISSUES: "Schedule Issues",
  RESOLVE_ISSUES: "Resolve Issues",
  LINK_ISSUES: "Link Issues",
  ADD_COMMENTS: "Add Comments",
  DELETE_ALL_COMMENTS: "Delete All Comments",
  WORK_ON_ISSUES: "Work On Issues",
  CREATE_ATTACHMENTS: "Create Attachments",
  DELETE_ALL_ATTACHMENTS: "Delete All Attachments",
  VIEW_VOTERS_AND_WATCHERS: "View Voters and Watchers",
  MANAGE_WATCHERS: "Manage Watchers",
  MANAGE_SPRINTS_PERMISSION: "Manage Sprints",
};

/** Permissions of a site. */
export const GLOBAL_PERMISSIONS: Readonly<Record<string, string>> = {
  ADMINISTER: "Administer Jira",
  USER_PICKER: "Browse Users",
  BULK_CHANGE: "Make bulk changes",
  CREATE_PROJECT: "Create Projects",
};

/** Whether the viewer has a permission of the site. */
export function hasGlobal({ member, site }: Viewer, permission: string): boolean {
  if (permission === "ADMINISTER" || permission === "CREATE_PROJECT") return member.isAdmin;
  // The others are given to the group of all users, and administrators can take them away.
  return permission in GLOBAL_PERMISSIONS && (member.isAdmin || !site.withheld.includes(permission));
}

/** Whether the viewer has a permission in a project, for one issue when it is given. */
export function hasPermission(
  { member, site }: Viewer,
  permission: string,
  project: Project,
  issue: Issue | null = null,
): boolean {
  const scheme = schemeOf(site, project, "permission");
  const grants = (scheme?.grants ?? []).filter((grant) => grant.permission === permission);
  return grants.some(({ holder }) => holds(member, project, issue, holder));
}

function holds(
  member: Member,
  project: Project,
  issue: Issue | null,
  holder: PermissionGrant["holder"],
): boolean {
  switch (holder.kind) {
    case "applicationRole":
      return !project.isPrivate;
    case "projectRole":
      return isInRole(member, project, holder.roleId);
    case "group":
      return member.groupIds.includes(holder.groupId);
    default:
      return isPersonOf(member, project, issue, holder.kind);
  }
}

function isPersonOf(
  member: Member,
  project: Project,
  issue: Issue | null,
  kind: "reporter" | "assignee" | "projectLead",
): boolean {
  if (kind === "projectLead") return project.leadId === member.accountId;
  return issue?.values[kind] === member.accountId;
}

/** Whether someone is in a role of a project. */
export function isInRole(member: Member, project: Project, roleId: string): boolean {
  return (project.roleActors[roleId] ?? []).some((actor) => isActor(member, actor));
}

function isActor(member: Member, actor: Actor): boolean {
  return actor.kind === "user"
    ? actor.accountId === member.accountId
    : member.groupIds.includes(actor.groupId);
}

/** Whether the viewer sees a project. What is in the trash is seen by administrators only. */
export function canSeeProject(viewer: Viewer, project: Project): boolean {
  if (project.trashedAt !== null) return false;
  return hasPermission(viewer, "BROWSE_PROJECTS", project);
}

/** Whether the viewer sees an issue: the project, and its security level. Administrators are no exception. */
export function canSeeIssue(viewer: Viewer, issue: Issue): boolean {
  const project = projectOf(viewer.site, issue);
  if (!canSeeProject(viewer, project)) return false;
  const { security } = issue.values;
  if (typeof security !== "string") return true;
  const level = schemeOf(viewer.site, project, "security")?.levels?.find(({ id }) => id === security);
  return level?.members.some((member) => isInLevel(viewer, project, issue, member)) ?? true;
}

function isInLevel({ member }: Viewer, project: Project, issue: Issue, who: LevelMember): boolean {
  if (who.kind === "user" || who.kind === "group") return isActor(member, who);
  if (who.kind === "role") return isInRole(member, project, who.roleId);
  return isPersonOf(member, project, issue, who.kind);
}

/** Whether the viewer sees a comment or worklog that is restricted to a group or role. */
export function canSeeRestricted(
  { member }: Viewer,
  project: Project,
  {
    visibility,
    authorId,
  }: { visibility: { type: "group" | "role"; identifier: string } | null; authorId: string },
): boolean {
  if (visibility === null || authorId === member.accountId) return true;
  return visibility.type === "group"
    ? member.groupIds.includes(visibility.identifier)
    : isInRole(member, project, visibility.identifier);
}
