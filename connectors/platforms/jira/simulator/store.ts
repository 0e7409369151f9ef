import type {
  Field,
  Issue,
  IssueLink,
  JiraWorld,
  Person,
  Project,
  Scheme,
  SchemeKind,
  Site,
  SiteIndex,
  Status,
} from "./state.ts";

/** The index of a site; built at the first use. */
export function indexOf(world: JiraWorld, site: Site): SiteIndex {
  const known = world.indexes.get(site.cloudId);
  if (known) return known;
  const index: SiteIndex = {
    issuesById: new Map(),
    issuesByKey: new Map(),
    issuesOfProject: new Map(),
    childrenOf: new Map(),
    issuesByAttachment: new Map(),
  };
  world.indexes.set(site.cloudId, index);
  for (const issue of site.issues) indexIssue(world, site, issue);
  return index;
}

/** Adds an issue to the index of its site. */
export function indexIssue(world: JiraWorld, site: Site, issue: Issue): void {
  const index = indexOf(world, site);
  index.issuesById.set(issue.id, issue);
  for (const key of [keyOf(site, issue), ...issue.oldKeys]) index.issuesByKey.set(key, issue);
  for (const { id } of issue.attachments) index.issuesByAttachment.set(id, issue);
  into(index.issuesOfProject, issue.projectId).add(issue);
  const parentId = parentIdOf(issue);
  if (parentId !== null) into(index.childrenOf, parentId).add(issue);
}

/** Removes an issue from the index of its site. */
export function forgetIssue(world: JiraWorld, site: Site, issue: Issue): void {
  const index = indexOf(world, site);
  index.issuesById.delete(issue.id);
  for (const key of [keyOf(site, issue), ...issue.oldKeys]) index.issuesByKey.delete(key);
  for (const { id } of issue.attachments) index.issuesByAttachment.delete(id);
  index.issuesOfProject.get(issue.projectId)?.delete(issue);
  const parentId = parentIdOf(issue);
  if (parentId !== null) index.childrenOf.get(parentId)?.delete(issue);
}

function into(map: Map<string, Set<Issue>>, key: string): Set<Issue> {
  const known = map.get(key);
  if (known) return known;
  const fresh = new Set<Issue>();
  map.set(key, fresh);
  return fresh;
}

/** The id of an issue's parent, or null. */
export function parentIdOf(issue: Issue): string | null {
  const { parent } = issue.values;
  return typeof parent === "string" ? parent : null;
}

/** The key of an issue, e.g. `OPS-12`. */
export function keyOf(site: Site, issue: Issue): string {
  return `${projectOf(site, issue).key}-${issue.number}`;
}

/** The project of an issue. */
export function projectOf(site: Site, issue: Issue): Project {
  return byId(site.projects, issue.projectId);
}

/** Finds an issue by id or key (in any case of letters), or null. */
export function findIssue(world: JiraWorld, site: Site, key: string): Issue | null {
  const index = indexOf(world, site);
  return index.issuesById.get(key) ?? index.issuesByKey.get(key.toUpperCase()) ?? null;
}

/** The issues of a project, oldest first. */
export function issuesOf(world: JiraWorld, site: Site, project: Project): Issue[] {
  return [...(indexOf(world, site).issuesOfProject.get(project.id) ?? [])];
}

/** The sub-tasks or other children of an issue. */
export function childrenOf(world: JiraWorld, site: Site, issue: Issue): Issue[] {
  return [...(indexOf(world, site).childrenOf.get(issue.id) ?? [])];
}

const linkIndexes = new WeakMap<readonly IssueLink[], { size: number; byIssue: Map<string, IssueLink[]> }>();

/** The links that begin or end at an issue. */
export function linksOf(site: Site, issue: Issue): readonly IssueLink[] {
  const { links } = site;
  let index = linkIndexes.get(links);
  if (index?.size !== links.length) {
    index = { size: links.length, byIssue: new Map() };
    linkIndexes.set(links, index);
    for (const link of links) {
      for (const id of new Set([link.fromId, link.toId])) {
        const known = index.byIssue.get(id);
        if (known) known.push(link);
        else index.byIssue.set(id, [link]);
      }
    }
  }
  return index.byIssue.get(issue.id) ?? [];
}

/** Finds a project by id or key, or null. */
export function findProject(site: Site, key: string): Project | null {
  return site.projects.find((project) => project.id === key || project.key === key.toUpperCase()) ?? null;
}

/** Finds a site by its cloud id or slug, or null. */
export function findSite(world: JiraWorld, key: string): Site | null {
  return world.state.sites.find(({ cloudId, slug }) => cloudId === key || slug === key) ?? null;
}

/** Finds a person by account id or e-mail address, or null. */
export function findPerson(world: JiraWorld, key: string): Person | null {
  return world.state.people.find(({ accountId, email }) => accountId === key || email === key) ?? null;
}

/** The person of an account id. A deleted account is shown as a former user. */
export function personOf(world: JiraWorld, accountId: string): Person {
  return (
    findPerson(world, accountId) ?? {
      accountId,
      email: "",
      displayName: "Former user",
      timeZone: "Etc/UTC",
      isActive: false,
      accountType: "atlassian",
    }
  );
}

/** @throws Error when nothing has the id: the state is wrong */
export function byId<T extends { id: string }>(list: readonly T[], id: string): T {
  const found = list.find((one) => one.id === id);
  if (!found) throw new Error(`Nothing has the id ${id}`);
  return found;
}

/** The scheme of a kind that a project uses, or null. */
export function schemeOf(site: Site, project: Project, kind: SchemeKind): Scheme | null {
  return site.schemes.find(({ id, kind: own }) => own === kind && id === project.schemeIds[kind]) ?? null;
}

/** The issue types that a project uses, in order. */
export function typesOf(site: Site, project: Project) {
  return (schemeOf(site, project, "issuetype")?.ids ?? []).map((id) => byId(site.issueTypes, id));
}

/** The workflow of an issue type in a project. */
export function workflowOf(site: Site, project: Project, typeId: string) {
  const ids = schemeOf(site, project, "workflow")?.workflowIds ?? {};
  return byId(site.workflows, ids[typeId] ?? ids.default ?? "");
}

/** The status of an issue. */
export function statusOf(site: Site, issue: Issue): Status {
  return byId(site.statuses, issue.statusId);
}

/** The fields that apply to the issues of a project. */
export function fieldsOf(site: Site, project: Project): Field[] {
  return site.fields.filter(({ projectIds }) => projectIds === null || projectIds.includes(project.id));
}

/** The address of a site's web pages. */
export function siteUrl(world: JiraWorld, site: Site): string {
  return `${world.url}/sites/${site.slug}`;
}
