import { type Clause, type Query, readJql } from "./jql.ts";
import { canSeeIssue } from "./permissions.ts";
import { invalid } from "./refused.ts";
import type { Indexed, Issue, JiraWorld, Site } from "./state.ts";
import { findIssue, findProject, issuesOf } from "./store.ts";
import type { Viewer } from "./viewer.ts";

/**
 * Finds the issues of a JQL query by what the search index knows, which lags behind. `reconcile` are ids of issues that
 * it looks up afresh.
 * @throws Refused for a query that is unbounded, wrong or unknown to the simulator
 */
export function searchIssues(viewer: Viewer, jql: string, reconcile: readonly string[] = []): Issue[] {
  const { world, site } = viewer;
  const query = readJql(jql, viewer.person.timeZone);
  if (query.clauses.length === 0) {
    throw invalid(
      "Unbounded JQL queries are not allowed here. Please add a search restriction to your query.",
    );
  }
  const tests = query.clauses.map((clause) => testOf(viewer, clause));
  const found: { issue: Issue; known: Indexed }[] = [];
  for (const issue of candidates(viewer, query)) {
    const known = indexedOf(world, issue, reconcile.includes(issue.id));
    if (known && tests.every((test) => test(issue, known)) && canSeeIssue(viewer, issue)) {
      found.push({ issue, known });
    }
  }
  return found.sort((one, other) => compare(site, query, one, other)).map(({ issue }) => issue);
}

/** Issues that a query can match: those of its projects or ids, before every other condition. */
function candidates({ world, site }: Viewer, { clauses }: Query): Iterable<Issue> {
  const ids = clauses.find(({ field }) => field === "id");
  if (ids && "values" in ids) {
    return new Set(ids.values.flatMap((key) => findIssue(world, site, key) ?? []));
  }
  const projects = clauses.find(({ field }) => field === "project");
  if (projects && "values" in projects) {
    return projects.values.flatMap((key) => {
      const project = projectNamed(site, key);
      return project ? issuesOf(world, site, project) : [];
    });
  }
  return site.issues;
}

/** JQL names projects by id, key or name. */
function projectNamed(site: Site, key: string) {
  return findProject(site, key) ?? site.projects.find(({ name }) => name === key) ?? null;
}

/** What the index knows of an issue, brought up to date when its time has come. */
function indexedOf(world: JiraWorld, issue: Issue, isReconciled: boolean): Indexed | null {
  const { projectId, updatedAt, createdAt, statusId } = issue;
  const fresh = { projectId, updatedAt, createdAt, statusId };
  if (isReconciled) return fresh;
  if (issue.indexDueAt !== null && issue.indexDueAt <= Date.now()) {
    issue.indexed = fresh;
    issue.indexDueAt = null;
    world.save();
  }
  return issue.indexed;
}

function testOf(viewer: Viewer, clause: Clause): (issue: Issue, known: Indexed) => boolean {
  const { site, world } = viewer;
  switch (clause.field) {
    case "project": {
      const ids = new Set(
        clause.values.map((key) => {
          const project = projectNamed(site, key);
          const isSeen = project !== null && project.trashedAt === null;
          if (!isSeen) {
            throw invalid(`The value '${key}' does not exist for the field 'project'.`);
          }
          return project.id;
        }),
      );
      return (_, known) => ids.has(known.projectId);
    }
    case "id": {
      const ids = new Set(
        clause.values.map((key) => {
          const issue = findIssue(world, site, key);
          // One unknown key of a list refuses the whole query.
          if (!issue || !canSeeIssue(viewer, issue)) {
            const message = `An issue with key '${key}' does not exist for field 'key'.`;
            throw invalid(message);
          }
          return issue.id;
        }),
      );
      return (issue) => ids.has(issue.id);
    }
    case "status": {
      const ids = new Set(
        site.statuses
          .filter(({ id, name }) => clause.values.includes(id) || clause.values.includes(name))
          .map(({ id }) => id),
      );
      return (_, known) => ids.has(known.statusId);
    }
    case "issuetype": {
      const ids = new Set(
        site.issueTypes
          .filter(({ id, name }) => clause.values.includes(id) || clause.values.includes(name))
          .map(({ id }) => id),
      );
      return (issue) => ids.has(issue.typeId);
    }
    default:
      return (_, known) => isAt(clause, clause.field === "updated" ? known.updatedAt : known.createdAt);
  }
}

function isAt({ operator, at }: Extract<Clause, { at: number }>, value: number): boolean {
  if (operator === ">=") return value >= at;
  if (operator === ">") return value > at;
  return operator === "<=" ? value <= at : value < at;
}

type Found = { issue: Issue; known: Indexed };

function compare(site: Site, { order }: Query, one: Found, other: Found): number {
  for (const { field, isDescending } of order) {
    const difference = compareBy(site, field, one, other);
    if (difference !== 0) return isDescending ? -difference : difference;
  }
  // Without an order, and among equals, the newest comes first.
  return Number(other.issue.id) - Number(one.issue.id);
}

function compareBy(site: Site, field: Query["order"][number]["field"], one: Found, other: Found): number {
  if (field === "updated") return one.known.updatedAt - other.known.updatedAt;
  if (field === "created") return one.known.createdAt - other.known.createdAt;
  if (field === "rank")
    return one.issue.rank < other.issue.rank ? -1 : one.issue.rank > other.issue.rank ? 1 : 0;
  if (one.issue.projectId !== other.issue.projectId) {
    const key = ({ issue }: Found) => site.projects.find(({ id }) => id === issue.projectId)?.key ?? "";
    return key(one).localeCompare(key(other));
  }
  return one.issue.number - other.issue.number;
}
