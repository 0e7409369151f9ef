import { hasPermission } from "./permissions.ts";
import {
  renderComponent,
  renderIssueType,
  renderLead,
  renderProjectShort,
  renderVersion,
} from "./render-config.ts";
import type { Project } from "./state.ts";
import { issuesOf, siteUrl, typesOf } from "./store.ts";
import { jiraTime } from "./times.ts";
import type { Viewer } from "./viewer.ts";

/** A project as the list shows it; `expand` adds description, lead, url and insight. */
export function renderProjectListed(viewer: Viewer, project: Project, expand: ReadonlySet<string>) {
  return {
    expand: "description,lead,issueTypes,url,projectKeys,permissions,insight",
    ...renderProjectShort(viewer, project),
    style: project.style,
    isPrivate: project.isPrivate,
    properties: {},
    ...(project.style === "next-gen" ? { uuid: uuidOf(project) } : {}),
    ...(project.isArchived ? { archived: true } : {}),
    ...(expand.has("description") ? { description: project.description } : {}),
    ...(expand.has("lead") ? { lead: renderLead(viewer, project) } : {}),
    ...(expand.has("url") ? { url: project.url || siteUrl(viewer.world, viewer.site) } : {}),
    ...(expand.has("issueTypes") ? { issueTypes: issueTypes(viewer, project) } : {}),
    ...(expand.has("insight") ? { insight: insightOf(viewer, project) } : {}),
  };
}

/** A project as its own resource shows it. */
export function renderProject(viewer: Viewer, project: Project) {
  const roles = Object.fromEntries(
    viewer.site.roles.map(({ id, name }) => [
      name,
      `${viewer.base}/rest/api/3/project/${project.id}/role/${id}`,
    ]),
  );
  return {
    ...renderProjectListed(viewer, project, new Set(["description", "lead", "issueTypes", "insight"])),
    components: project.components.map((component) => renderComponent(viewer, component)),
    versions: project.versions.map((version) => renderVersion(viewer, version, project)),
    assigneeType: "UNASSIGNED",
    roles,
    ...(project.url === "" ? {} : { url: project.url }),
    permissions: { canEdit: hasPermission(viewer, "ADMINISTER_PROJECTS", project) },
  };
}

function issueTypes(viewer: Viewer, project: Project) {
  return typesOf(viewer.site, project).map((type) => renderIssueType(viewer, type));
}

function insightOf(viewer: Viewer, project: Project) {
  const issues = issuesOf(viewer.world, viewer.site, project);
  const last = issues.reduce((latest, { updatedAt }) => Math.max(latest, updatedAt), 0);
  return {
    totalIssueCount: issues.length,
    ...(last === 0 ? {} : { lastIssueUpdateTime: jiraTime(last, viewer.person.timeZone) }),
  };
}

function uuidOf(project: Project): string {
  return `00000000-0000-4000-a000-${project.id.padStart(12, "0")}`;
}
