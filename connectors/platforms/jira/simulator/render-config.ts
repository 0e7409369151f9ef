import { kindOf, SYSTEM_FIELDS, schemaOf } from "./field-kinds.ts";
import { avatars, renderPerson, renderPersonOrNull } from "./render-people.ts";
import type { Component, Field, IssueType, Project, Scope, Status, Version } from "./state.ts";
import type { Viewer } from "./viewer.ts";

const CATEGORIES = {
  new: { id: 2, key: "new", colorName: "blue-gray", name: "To Do" },
  indeterminate: { id: 4, key: "indeterminate", colorName: "yellow", name: "In Progress" },
  done: { id: 3, key: "done", colorName: "green", name: "Done" },
} as const;

/** Where something applies, as most resources show it. */
function renderScope({ base }: Viewer, scope: Scope) {
  if (scope === null) return {};
  const { projectId: id } = scope;
  return { scope: { type: "PROJECT", project: { id, self: `${base}/rest/api/3/project/${id}` } } };
}

/** The category of a status. */
export function renderCategory({ base }: Viewer, category: Status["category"]) {
  const known = CATEGORIES[category];
  return { self: `${base}/rest/api/3/statuscategory/${known.id}`, ...known };
}

/** A status as issues and projects show it. */
export function renderStatus(viewer: Viewer, status: Status) {
  return {
    self: `${viewer.base}/rest/api/3/status/${status.id}`,
    description: status.description,
    iconUrl: `${viewer.world.url}/images/icons/status.gif`,
    name: status.name,
    id: status.id,
    statusCategory: renderCategory(viewer, status.category),
    ...renderScope(viewer, status.scope),
  };
}

/** An issue type. */
export function renderIssueType(viewer: Viewer, type: IssueType) {
  return {
    self: `${viewer.base}/rest/api/3/issuetype/${type.id}`,
    id: type.id,
    description: type.description,
    iconUrl: `${viewer.world.url}/images/icons/issuetype-${type.id}.svg`,
    name: type.name,
    subtask: type.level === -1,
    avatarId: 10_300,
    hierarchyLevel: type.level,
    ...renderScope(viewer, type.scope),
  };
}

/** A priority, resolution or security level by its id. */
export function renderNamed(
  viewer: Viewer,
  path: "priority" | "resolution" | "securitylevel",
  list: readonly { id: string; name: string; description: string }[],
  id: string,
) {
  const known = list.find((one) => one.id === id);
  const self = `${viewer.base}/rest/api/3/${path}/${id}`;
  const icon =
    path === "priority" ? { iconUrl: `${viewer.world.url}/images/icons/priorities/${id}.svg` } : {};
  const description = path === "priority" ? {} : { description: known?.description ?? "" };
  return { self, ...icon, id, name: known?.name ?? "", ...description };
}

/** A project as issues show it. */
export function renderProjectShort(viewer: Viewer, project: Project) {
  return {
    self: `${viewer.base}/rest/api/3/project/${project.id}`,
    id: project.id,
    key: project.key,
    name: project.name,
    projectTypeKey: project.typeKey,
    simplified: project.style === "next-gen",
    avatarUrls: avatars(viewer, project.key),
  };
}

/** A component as issues show it. */
export function renderComponent({ base }: Viewer, { id, name, description }: Component) {
  return { self: `${base}/rest/api/3/component/${id}`, id, name, description };
}

/** A component with its people. */
export function renderComponentWhole(viewer: Viewer, project: Project, component: Component) {
  const lead = renderPersonOrNull(viewer, component.leadId);
  return {
    ...renderComponent(viewer, component),
    ...(lead ? { lead } : {}),
    assigneeType: "PROJECT_DEFAULT",
    realAssigneeType: "PROJECT_DEFAULT",
    isAssigneeTypeValid: false,
    project: project.key,
    projectId: Number(project.id),
  };
}

/** A version. */
export function renderVersion({ base }: Viewer, version: Version, project: Project | null = null) {
  return {
    self: `${base}/rest/api/3/version/${version.id}`,
    id: version.id,
    description: version.description,
    name: version.name,
    archived: version.isArchived,
    released: version.isReleased,
    ...(version.startDate === null ? {} : { startDate: version.startDate }),
    ...(version.releaseDate === null ? {} : { releaseDate: version.releaseDate }),
    ...(project ? { projectId: Number(project.id) } : {}),
  };
}

/** A field as `GET /field` shows it. */
export function renderField(viewer: Viewer, field: Field) {
  const isCustom = field.typeKey !== null;
  const number = field.id.replace("customfield_", "");
  const kind = isCustom ? null : SYSTEM_FIELDS[field.id];
  return {
    id: field.id,
    key: field.id,
    name: field.name,
    custom: isCustom,
    orderable: isCustom || kindOf(field) !== "derived",
    navigable: !["attachment", "comment", "timetracking"].includes(field.id),
    searchable: true,
    clauseNames: isCustom ? [`cf[${number}]`, field.name] : [field.id],
    ...(isCustom || kind ? { schema: schemaOf(field) } : {}),
    ...renderScope(viewer, field.scope),
  };
}

/** The lead of a project. */
export function renderLead(viewer: Viewer, project: Project) {
  return renderPerson(viewer, project.leadId);
}
