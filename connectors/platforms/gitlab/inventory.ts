import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { PlatformConnector, PlatformItem } from "#connectors/contract/platform-connector.ts";
import type { HttpCall, HttpClient } from "#connectors/toolkit/http-client.ts";
import type { Page, PageRequest } from "#core/kernel/page.ts";
import { gitlabClient, paths } from "./client.ts";
import {
  accountSchema,
  type GitlabProject,
  type GitlabSnippet,
  projectSchema,
  projectsSchema,
  snippetSchema,
  snippetsSchema,
} from "./payloads.ts";
import { projectRecord } from "./project-record.ts";
import { readSnippetKey, snippetKey, snippetName, snippetRecord } from "./snippet-record.ts";

/** The largest page that GitLab gives. */
export const LARGEST_PAGE = 100;
/** GitLab looks for parts of names from this length on; shorter ones must be the whole name. */
const SHORTEST_SEARCH = 3;
/** Lists of projects' snippets that are asked for side by side. */
const LISTS_AT_ONCE = 5;

const ALL_PROJECTS: HttpCall = {
  method: "GET",
  path: paths.projects,
  // The order must be total, or a member could be on two pages and another on none.
  query: { membership: "true", order_by: "id", sort: "asc", per_page: LARGEST_PAGE },
  about: "your projects",
  missing: "forbidden",
};

/** The account, its projects and snippets. */
export const inventory: Pick<PlatformConnector, "listPlaces" | "listItems" | "getItem"> = {
  /** The account itself: GitLab's items are listed over all groups at once. */
  async listPlaces(session, { page }) {
    const call = { method: "GET", path: paths.user, about: "your account" } as const;
    const user = await gitlabClient(session).request(call, accountSchema);
    const place = { externalId: user.id, nodeId: null, name: user.username, type: "User" } as const;
    return { items: page === 0 ? [place] : [], total: 1, hasMore: false };
  },

  async listItems(session, { kind, name, page, perPage }) {
    const client = gitlabClient(session);
    const wanted = name === null || name.trim() === "" ? null : name.trim().toLowerCase();
    if (kind === "snippet") return await firstMatching(allSnippets(client), wanted, { page, perPage });
    refuseUnknownKind(kind);
    if (wanted === null && perPage <= LARGEST_PAGE) {
      const query = { ...ALL_PROJECTS.query, per_page: perPage, page: page + 1 };
      const { value, next, headers } = await client.page({ ...ALL_PROJECTS, query }, projectsSchema);
      return { items: value.map(projectItem), total: totalOf(headers), hasMore: next !== null };
    }
    return await firstMatching(searchProjects(client, wanted), wanted, { page, perPage });
  },

  async getItem(session, { kind, externalId, fullName }) {
    if (kind === "snippet")
      return snippetItem(await getSnippet(gitlabClient(session), { externalId, fullName }));
    refuseUnknownKind(kind);
    return projectItem(await getProject(gitlabClient(session), { externalId, fullName }));
  },
};

/** How many members a list has; null where GitLab does not count, which it stops doing above 10,000. */
export function totalOf(headers: Headers): number | null {
  const total = headers.get("x-total");
  return total !== null && /^[0-9]+$/.test(total) ? Number(total) : null;
}

/**
 * Reads a project by its id, which stays when it is renamed or moved. A project that its owner has deleted is gone,
 * although GitLab still keeps it for some days.
 *
 * @throws ConnectorError `gone`
 */
export async function getProject(
  client: HttpClient,
  { externalId, fullName }: { externalId: string; fullName: string },
): Promise<GitlabProject> {
  const path = paths.project(externalId === "" ? fullName : externalId);
  const about = fullName === "" ? "this project" : `the project ${fullName}`;
  const call = { method: "GET", path, query: { statistics: "true" }, about } as const;
  const project = await client.request(call, projectSchema);
  if (project.marked_for_deletion_on === null) return project;
  const message = `GitLab will delete ${about} for good on ${project.marked_for_deletion_on}.`;
  throw new ConnectorError("gone", message);
}

/** Reads a snippet by the id under which we know it. @throws ConnectorError `gone` */
export async function getSnippet(
  client: HttpClient,
  { externalId, fullName }: { externalId: string; fullName: string },
): Promise<GitlabSnippet> {
  const { projectId, id } = readSnippetKey(externalId);
  const about = `the snippet ${fullName}`;
  return await client.request({ method: "GET", path: paths.snippet(projectId, id), about }, snippetSchema);
}

/** An item from what GitLab sent; its details are what a version records of the project's settings. */
export function projectItem(project: GitlabProject): PlatformItem {
  return {
    kind: "project",
    externalId: project.id,
    nodeId: null,
    name: project.name,
    fullName: project.path_with_namespace,
    description: project.description,
    visibility: project.visibility,
    sizeHintBytes: project.statistics?.repository_size ?? null,
    details: projectRecord(project),
  };
}

/** An item from a snippet; its name is its title. */
export function snippetItem(snippet: GitlabSnippet): PlatformItem {
  return {
    kind: "snippet",
    externalId: snippetKey(snippet),
    nodeId: null,
    name: snippet.title,
    fullName: snippetName(snippet),
    description: snippet.description,
    visibility: snippet.visibility,
    sizeHintBytes: null,
    details: snippetRecord(snippet),
  };
}

async function* searchProjects(client: HttpClient, wanted: string | null): AsyncGenerator<PlatformItem> {
  const search: Record<string, string> =
    wanted === null || wanted.length < SHORTEST_SEARCH ? {} : { search: wanted };
  const call = { ...ALL_PROJECTS, query: { ...ALL_PROJECTS.query, ...search } };
  for await (const project of client.members(call, projectsSchema, ({ id }) => id))
    yield projectItem(project);
}

/**
 * The account's own snippets, then those of other people in its projects. GitLab has no list of the latter, so each
 * project with snippets is asked; whoever needs only the first page does not get that far.
 */
async function* allSnippets(client: HttpClient): AsyncGenerator<PlatformItem> {
  const seen = new Set<string>();
  const fresh = function* (snippets: readonly GitlabSnippet[]) {
    for (const snippet of snippets) {
      if (!seen.has(snippet.id)) yield snippetItem(snippet);
      seen.add(snippet.id);
    }
  };
  const own: HttpCall = {
    method: "GET",
    path: paths.ownSnippets,
    query: { per_page: LARGEST_PAGE },
    about: "your snippets",
    missing: "forbidden",
  };
  for await (const snippet of client.members(own, snippetsSchema, ({ id }) => id)) yield* fresh([snippet]);
  let batch: GitlabProject[] = [];
  for await (const project of client.members(ALL_PROJECTS, projectsSchema, ({ id }) => id)) {
    if (!hasSnippets(project)) continue;
    batch.push(project);
    if (batch.length < LISTS_AT_ONCE) continue;
    for (const snippets of await Promise.all(batch.map((one) => projectSnippets(client, one))))
      yield* fresh(snippets);
    batch = [];
  }
  for (const snippets of await Promise.all(batch.map((one) => projectSnippets(client, one))))
    yield* fresh(snippets);
}

function hasSnippets({ snippets_access_level, snippets_enabled }: GitlabProject): boolean {
  return snippets_access_level !== "disabled" && snippets_enabled !== false;
}

/** Snippets of one project; a project that shows none to us has none for us. */
async function projectSnippets(client: HttpClient, project: GitlabProject): Promise<GitlabSnippet[]> {
  const about = `the snippets of ${project.path_with_namespace}`;
  const call: HttpCall = {
    method: "GET",
    path: paths.snippets(project.id),
    query: { per_page: LARGEST_PAGE },
    about,
    missing: "forbidden",
  };
  const found: GitlabSnippet[] = [];
  try {
    for await (const snippet of client.members(call, snippetsSchema, ({ id }) => id)) found.push(snippet);
  } catch (error) {
    if (!(error instanceof ConnectorError) || error.kind !== "forbidden") throw error;
  }
  return found;
}

/** Takes one page of what matches out of a list that is read until there is enough. */
async function firstMatching(
  items: AsyncIterable<PlatformItem>,
  wanted: string | null,
  { page, perPage }: PageRequest,
): Promise<Page<PlatformItem>> {
  const enough = (page + 1) * perPage + 1;
  const found: PlatformItem[] = [];
  let isWhole = true;
  for await (const item of items) {
    // GitLab also finds descriptions; people look for names.
    if (wanted !== null && !item.name.toLowerCase().includes(wanted)) continue;
    found.push(item);
    if (found.length < enough) continue;
    isWhole = false;
    break;
  }
  const slice = found.slice(page * perPage, (page + 1) * perPage);
  return { items: slice, total: isWhole ? found.length : null, hasMore: found.length > (page + 1) * perPage };
}

function refuseUnknownKind(kind: string): void {
  if (kind === "project") return;
  throw new ConnectorError("unsupported", `Holdfast does not back up ${kind} from GitLab.`);
}
