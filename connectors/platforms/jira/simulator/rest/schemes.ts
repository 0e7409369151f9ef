import { type Context, Hono } from "hono";
import { hasPermission } from "../permissions.ts";
import { forbidden, invalid, missing } from "../refused.ts";
import type { PermissionGrant, Project, Scheme, SchemeKind, SecurityLevel } from "../state.ts";
import { byId, fieldsOf, schemeOf } from "../store.ts";
import type { Viewer } from "../viewer.ts";
import { expandOf, listOf, pageOf, projectIn, type RestEnv, requireGlobal } from "./reach.ts";

/** The schemes of projects. */
export function schemeRoutes(): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.get("/issuetypescheme/project", (c) => {
    const rows = usesOf(c, "issuetype");
    const rendered = rows.map(({ scheme, projectIds }) => ({
      issueTypeScheme: {
        id: scheme.id,
        name: scheme.name,
        description: scheme.description,
        defaultIssueTypeId: scheme.ids?.[0] ?? "",
        isDefault: false,
      },
      projectIds,
    }));
    return c.json(pageOf(c, rendered));
  });
  app.get("/issuetypescheme/mapping", (c) => {
    const { site } = administrator(c);
    const ids = listOf(c, "issueTypeSchemeId");
    const schemes = site.schemes.filter(
      ({ kind, id }) => kind === "issuetype" && (ids.length === 0 || ids.includes(id)),
    );
    const rows = schemes.flatMap(({ id, ids: types = [] }) =>
      types.map((issueTypeId) => ({ issueTypeSchemeId: id, issueTypeId })),
    );
    return c.json(pageOf(c, rows));
  });
  app.get("/workflowscheme/project", (c) => {
    const viewer = administrator(c);
    const values = usesOf(c, "workflow").map(({ scheme, projectIds }) => ({
      projectIds,
      workflowScheme: renderWorkflowScheme(viewer, scheme),
    }));
    return c.json({ values });
  });
  app.get("/issuetypescreenscheme/project", (c) => {
    const rendered = usesOf(c, "screen").map(({ scheme: { id, name, description }, projectIds }) => ({
      issueTypeScreenScheme: { id, name, description },
      projectIds,
    }));
    return c.json(pageOf(c, rendered));
  });
  app.get("/issuetypescreenscheme/mapping", (c) => {
    const { site } = administrator(c);
    const ids = listOf(c, "issueTypeScreenSchemeId");
    const rows = site.schemes
      .filter(({ kind, id }) => kind === "screen" && (ids.length === 0 || ids.includes(id)))
      .map(({ id }) => ({ issueTypeScreenSchemeId: id, issueTypeId: "default", screenSchemeId: id }));
    return c.json(pageOf(c, rows));
  });
  app.get("/screenscheme", (c) => {
    const { site } = administrator(c);
    const ids = listOf(c, "id");
    const rows = site.schemes
      .filter(({ kind, id }) => kind === "screen" && (ids.length === 0 || ids.includes(id)))
      .map(({ id, name }) => ({ id: Number(id), name, description: "", screens: { default: Number(id) } }));
    return c.json(pageOf(c, rows, { usual: 25, most: 100 }));
  });
  app.get("/screens", (c) => {
    const { site } = administrator(c);
    const ids = listOf(c, "id");
    const rows = site.schemes
      .filter(({ kind, id }) => kind === "screen" && (ids.length === 0 || ids.includes(id)))
      .map(({ id, name }) => ({
        id: Number(id),
        name: name.replace("Issue Type Screen Scheme", "Screen"),
        description: "",
      }));
    return c.json(pageOf(c, rows, { usual: 100, most: 100 }));
  });
  app.get("/screens/:id/tabs", (c) => {
    screenProject(c, c.req.param("id"));
    return c.json([{ id: Number(c.req.param("id")), name: "Field Tab" }]);
  });
  app.get("/screens/:id/tabs/:tab/fields", (c) => {
    const { site } = c.get("viewer");
    const project = screenProject(c, c.req.param("id"));
    return c.json(fieldsOf(site, project).map(({ id, name }) => ({ id, name })));
  });
  app.get("/fieldconfigurationscheme/project", (c) => {
    const rendered = usesOf(c, "fieldconfiguration").map(({ scheme, projectIds }) =>
      // The default configuration has no scheme.
      ({
        projectIds,
        ...(scheme.id === "10000" ? {} : { fieldConfigurationScheme: { id: scheme.id, name: scheme.name } }),
      }),
    );
    return c.json(pageOf(c, rendered));
  });
  app.get("/priorityscheme", (c) => {
    const { site } = administrator(c);
    const rows = site.schemes
      .filter(({ kind }) => kind === "priority")
      .map(({ id, name, description }) => ({
        id,
        name,
        description,
        isDefault: id === "1",
        default: id === "1",
      }));
    return c.json(pageOf(c, rows));
  });
  app.get("/project/:key/permissionscheme", (c) => {
    const viewer = c.get("viewer");
    const project = projectIn(viewer, c.req.param("key"));
    requireProjectAdmin(viewer, project);
    return c.json(renderPermissionScheme(viewer, project, expandOf(c.req.query("expand"))));
  });
  app.get("/project/:key/notificationscheme", (c) => {
    const viewer = c.get("viewer");
    const project = projectIn(viewer, c.req.param("key"));
    requireProjectAdmin(viewer, project);
    return c.json(renderNotificationScheme(viewer, project, expandOf(c.req.query("expand"))));
  });
  app.get("/project/:key/issuesecuritylevelscheme", (c) => {
    const viewer = c.get("viewer");
    const project = projectIn(viewer, c.req.param("key"));
    requireProjectAdmin(viewer, project);
    const scheme = schemeOf(viewer.site, project, "security");
    if (!scheme) throw missing("The project does not have an issue security scheme.");
    return c.json({
      self: `${viewer.base}/rest/api/3/issuesecurityschemes/${scheme.id}`,
      id: Number(scheme.id),
      name: scheme.name,
      description: scheme.description,
      ...(scheme.defaultLevelId ? { defaultSecurityLevelId: Number(scheme.defaultLevelId) } : {}),
      levels: (scheme.levels ?? []).map((level) => renderLevel(viewer, scheme, level)),
    });
  });
  app.get("/project/:key/securitylevel", (c) => {
    const viewer = c.get("viewer");
    const project = projectIn(viewer, c.req.param("key"));
    const scheme = schemeOf(viewer.site, project, "security");
    const maySet = hasPermission(viewer, "SET_ISSUE_SECURITY", project);
    const levels = scheme && maySet ? (scheme.levels ?? []) : [];
    return c.json({ levels: levels.map((level) => renderLevel(viewer, scheme, level)) });
  });
  app.get("/issuesecurityschemes/level/member", (c) => {
    const { site } = administrator(c);
    const schemeIds = listOf(c, "schemeId");
    const rows = site.schemes
      .filter(({ kind, id }) => kind === "security" && (schemeIds.length === 0 || schemeIds.includes(id)))
      .flatMap((scheme) =>
        (scheme.levels ?? []).flatMap((level) =>
          level.members.map((member, index) => ({
            id: `${level.id}${index}`,
            issueSecurityLevelId: level.id,
            issueSecuritySchemeId: scheme.id,
            holder: renderMember(member),
          })),
        ),
      );
    return c.json(pageOf(c, rows));
  });
  return app;
}

function administrator(c: Context<RestEnv>): Viewer {
  const viewer = c.get("viewer");
  requireGlobal(viewer, "ADMINISTER");
  return viewer;
}

function requireProjectAdmin(viewer: Viewer, project: Project): void {
  if (viewer.member.isAdmin || hasPermission(viewer, "ADMINISTER_PROJECTS", project)) return;
  throw forbidden("You do not have permission to administer this project.");
}

/** The schemes of a kind with the asked projects that use them. Team-managed projects are left out. */
function usesOf(c: Context<RestEnv>, kind: SchemeKind): { scheme: Scheme; projectIds: string[] }[] {
  const { site } = administrator(c);
  const ids = listOf(c, "projectId");
  if (ids.length === 0 || ids.length > 100)
    throw invalid("Between 1 and 100 values of projectId are required.");
  const uses = new Map<Scheme, string[]>();
  for (const project of site.projects) {
    if (!ids.includes(project.id) || project.style === "next-gen") continue;
    const scheme = schemeOf(site, project, kind);
    if (scheme) uses.set(scheme, [...(uses.get(scheme) ?? []), project.id]);
  }
  return [...uses].map(([scheme, projectIds]) => ({ scheme, projectIds }));
}

function screenProject(c: Context<RestEnv>, screenId: string): Project {
  const { site } = administrator(c);
  const project = site.projects.find(({ schemeIds }) => schemeIds.screen === screenId);
  if (!project) throw missing("The screen was not found.");
  return project;
}

function renderWorkflowScheme({ site, base }: Viewer, scheme: Scheme) {
  const { default: usual = "", ...own } = scheme.workflowIds ?? {};
  const nameOf = (id: string) => byId(site.workflows, id).name;
  return {
    id: Number(scheme.id),
    name: scheme.name,
    description: scheme.description,
    defaultWorkflow: nameOf(usual),
    issueTypeMappings: Object.fromEntries(Object.entries(own).map(([type, id]) => [type, nameOf(id)])),
    draft: false,
    self: `${base}/rest/api/3/workflowscheme/${scheme.id}`,
  };
}

function renderPermissionScheme(viewer: Viewer, project: Project, expand: ReadonlySet<string>) {
  const scheme = schemeOf(viewer.site, project, "permission");
  if (!scheme) throw missing("The permission scheme was not found.");
  const self = `${viewer.base}/rest/api/3/permissionscheme/${scheme.id}`;
  const isWhole = expand.has("permissions") || expand.has("all");
  return {
    expand: "permissions,user,group,projectRole,field,all",
    id: Number(scheme.id),
    self,
    name: scheme.name,
    description: scheme.description,
    ...(isWhole
      ? {
          permissions: (scheme.grants ?? []).map((grant) => ({
            id: Number(grant.id),
            self: `${self}/permission/${grant.id}`,
            holder: renderHolder(grant.holder),
            permission: grant.permission,
          })),
        }
      : {}),
  };
}

function renderHolder(holder: PermissionGrant["holder"]) {
  if (holder.kind === "projectRole") {
    return { type: "projectRole", parameter: holder.roleId, value: holder.roleId, expand: "projectRole" };
  }
  if (holder.kind === "group") {
    return { type: "group", parameter: holder.groupId, value: holder.groupId, expand: "group" };
  }
  return { type: holder.kind };
}

function renderMember(member: SecurityLevel["members"][number]) {
  if (member.kind === "user") return { type: "user", parameter: member.accountId, value: member.accountId };
  if (member.kind === "group") return { type: "group", parameter: member.groupId, value: member.groupId };
  if (member.kind === "role") return { type: "projectRole", parameter: member.roleId, value: member.roleId };
  return { type: member.kind };
}

function renderNotificationScheme(viewer: Viewer, project: Project, expand: ReadonlySet<string>) {
  const scheme = schemeOf(viewer.site, project, "notification");
  if (!scheme) throw missing("The notification scheme was not found.");
  const events = (scheme.events ?? []).map(({ eventId, name, tells }) => ({
    event: { id: eventId, name, description: "" },
    notifications: tells.map((notificationType, index) => ({ id: eventId * 10 + index, notificationType })),
  }));
  return {
    expand: "notificationSchemeEvents,user,group,projectRole,field,all",
    id: Number(scheme.id),
    self: `${viewer.base}/rest/api/3/notificationscheme/${scheme.id}`,
    name: scheme.name,
    description: scheme.description,
    ...(expand.has("notificationSchemeEvents") || expand.has("all")
      ? { notificationSchemeEvents: events }
      : {}),
  };
}

function renderLevel({ base }: Viewer, scheme: Scheme | null, level: SecurityLevel) {
  return {
    self: `${base}/rest/api/3/securitylevel/${level.id}`,
    id: level.id,
    description: level.description,
    name: level.name,
    issueSecuritySchemeId: scheme?.id ?? "",
    isDefault: scheme?.defaultLevelId === level.id,
  };
}
