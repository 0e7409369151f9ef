import { randomUUID } from "node:crypto";
import { nextId } from "./ids.ts";
import { ADMINISTRATORS, MEMBERS, VIEWERS } from "./sites.ts";
import type {
  Board,
  Component,
  IssueType,
  JiraWorld,
  Project,
  Scheme,
  Site,
  Status,
  Version,
  Workflow,
} from "./state.ts";
import { forgetIssue, issuesOf, typesOf } from "./store.ts";
import { TEMPLATES, type Template, type TemplateName } from "./templates.ts";

export type ProjectOrder = {
  key: string;
  name: string;
  leadId: string;
  template: TemplateName;
  description?: string;
  isPrivate?: boolean;
  /** When it is made; absent = now. */
  at?: number;
};

/** Makes a project with the issue types, the workflow, the schemes and the board of its template. */
export function createProject(world: JiraWorld, site: Site, order: ProjectOrder): Project {
  const template: Template = TEMPLATES[order.template];
  const at = order.at ?? Date.now();
  const id = nextId(site, "project");
  const scope = template.isTeamManaged ? { projectId: id } : null;
  const project: Project = {
    id,
    key: order.key,
    name: order.name,
    description: order.description ?? "",
    typeKey: template.typeKey,
    style: template.isTeamManaged ? "next-gen" : "classic",
    template: template.key,
    isPrivate: order.isPrivate ?? false,
    leadId: order.leadId,
    url: "",
    isArchived: false,
    trashedAt: null,
    createdAt: at,
    schemeIds: { permission: "0", notification: "10000", priority: "1", fieldconfiguration: "10000" },
    roleActors: {
      [ADMINISTRATORS]: [{ kind: "user", accountId: order.leadId }],
      [MEMBERS]: [],
      [VIEWERS]: [],
    },
    components: [],
    versions: [],
    properties: {},
    features: [
      { feature: "jsw.classic.roadmap", isEnabled: template.typeKey === "software" },
      { feature: "jsw.classic.backlog", isEnabled: template.board !== null },
    ],
    lastNumber: 0,
  };
  site.projects.push(project);
  const types = template.types.map(([name, level]) => ensureType(site, name, level, scope));
  const statuses = template.statuses.map(([name, category]) => ensureStatus(site, { name, category, scope }));
  const workflow = createWorkflow(site, {
    name: scope ? `Workflow of ${order.key}` : `Software Simplified Workflow for Project ${order.key}`,
    statuses,
    scope,
  });
  const add = (scheme: Omit<Scheme, "id" | "description">) => {
    const made: Scheme = { id: nextId(site, `${scheme.kind}scheme`), description: "", ...scheme };
    site.schemes.push(made);
    project.schemeIds[scheme.kind] = made.id;
  };
  const name = (what: string) => `${order.key}: ${what}`;
  add({ kind: "issuetype", name: name("Issue Type Scheme"), ids: types.map((type) => type.id) });
  add({ kind: "workflow", name: name("Workflow Scheme"), workflowIds: { default: workflow.id } });
  add({ kind: "screen", name: name("Issue Type Screen Scheme") });
  if (template.board !== null) createBoard(world, site, { project, kind: template.board, statuses });
  world.save();
  return project;
}

function ensureType(
  site: Site,
  name: string,
  level: IssueType["level"],
  scope: IssueType["scope"],
): IssueType {
  const known = site.issueTypes.find((type) => type.scope === null && scope === null && type.name === name);
  if (known) return known;
  const type = { id: nextId(site, "issuetype"), name, description: "", level, scope };
  site.issueTypes.push(type);
  return type;
}

/** Finds a status by name, or makes it. Team-managed projects have their own. */
export function ensureStatus(site: Site, order: Pick<Status, "name" | "category" | "scope">): Status {
  const known = site.statuses.find(
    ({ name, scope }) => name === order.name && scope?.projectId === order.scope?.projectId,
  );
  if (known) return known;
  const status = { id: nextId(site, "status"), description: "", ...order };
  site.statuses.push(status);
  return status;
}

/** Makes a workflow in which every status can be reached from every other ("simplified"). */
export function createWorkflow(
  site: Site,
  order: { name: string; statuses: readonly Status[]; scope: Workflow["scope"] },
): Workflow {
  const [first] = order.statuses;
  const done = (status: Status) =>
    status.category === "done" ? { setsResolution: "10000" } : { setsResolution: "" };
  const workflow: Workflow = {
    id: randomUUID(),
    name: order.name,
    description: "",
    statusIds: order.statuses.map(({ id }) => id),
    transitions: [
      { id: "1", name: "Create", kind: "INITIAL", from: [], to: first?.id ?? "" },
      ...order.statuses.map((status, index) => ({
        id: String((index + 1) * 10 + 1),
        name: status.name,
        kind: "GLOBAL" as const,
        from: [],
        to: status.id,
        ...done(status),
      })),
    ],
    scope: order.scope,
  };
  site.workflows.push(workflow);
  return workflow;
}

/** Makes a board that shows the project's issues, with one column for each status. */
export function createBoard(
  world: JiraWorld,
  site: Site,
  order: { project: Project; kind: Board["kind"]; statuses: readonly Status[]; name?: string },
): Board {
  const { project, kind } = order;
  const filter = {
    id: nextId(site, "filter"),
    name: `Filter for ${project.key} board`,
    description: "",
    ownerId: project.leadId,
    jql: `project = ${project.key} ORDER BY Rank ASC`,
    shares: [{ kind: "project" as const, projectId: project.id }],
  };
  site.filters.push(filter);
  const estimate = site.fields.find(({ typeKey }) => typeKey?.endsWith("jsw-story-points"));
  const board: Board = {
    id: nextId(site, "board"),
    name: order.name ?? `${project.key} board`,
    kind,
    projectId: project.id,
    filterId: filter.id,
    columns: order.statuses.map(({ id, name }) => ({ name, statusIds: [id] })),
    estimationFieldId: kind === "scrum" ? (estimate?.id ?? null) : null,
  };
  site.boards.push(board);
  world.save();
  return board;
}

/** Makes a component. */
export function createComponent(
  world: JiraWorld,
  site: Site,
  project: Project,
  order: { name: string; description?: string; leadId?: string | null },
): Component {
  const { name, description = "", leadId = null } = order;
  const component = { id: nextId(site, "component"), name, description, leadId };
  project.components.push(component);
  world.save();
  return component;
}

/** Makes a version. */
export function createVersion(
  world: JiraWorld,
  site: Site,
  project: Project,
  order: Partial<Omit<Version, "id">> & { name: string },
): Version {
  const version: Version = {
    id: nextId(site, "version"),
    description: "",
    isArchived: false,
    isReleased: false,
    startDate: null,
    releaseDate: null,
    ...order,
  };
  project.versions.push(version);
  world.save();
  return version;
}

/** Moves a project to the trash, from where nothing of it is seen; or removes it for good. */
export function deleteProject(world: JiraWorld, site: Site, project: Project, how: "trash" | "purge"): void {
  if (how === "trash") project.trashedAt = Date.now();
  else {
    const issues = new Set(issuesOf(world, site, project));
    for (const issue of issues) forgetIssue(world, site, issue);
    site.issues = site.issues.filter((issue) => !issues.has(issue));
    const ids = new Set([...issues].map(({ id }) => id));
    site.links = site.links.filter(({ fromId, toId }) => !ids.has(fromId) && !ids.has(toId));
    site.projects = site.projects.filter((known) => known !== project);
    site.boards = site.boards.filter(({ projectId }) => projectId !== project.id);
  }
  world.save();
}

/** The type of a project with a name, or the first standard type. */
export function typeNamed(site: Site, project: Project, name?: string): IssueType {
  const types = typesOf(site, project);
  const found =
    name === undefined ? types.find(({ level }) => level === 0) : types.find((type) => type.name === name);
  if (!found) throw new Error(`${project.key} has no type ${name}`);
  return found;
}
