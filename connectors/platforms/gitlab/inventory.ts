import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type {
  PlatformConnector,
  PlatformItem,
  PlatformPlace,
} from "#connectors/contract/platform-connector.ts";
import type { HttpClient } from "#connectors/toolkit/http-client.ts";
import type { Page, PageRequest } from "#core/kernel/page.ts";
import { gitlabClient, LARGEST_PAGE, paths } from "./client.ts";
import { type GitlabProject, projectSchema, projectsSchema } from "./payloads.ts";
import { listPlaces } from "./places.ts";
import { projectsCall } from "./projects-call.ts";
import { projectRecord } from "./read/project-record.ts";
import { allSnippets, getSnippet, snippetItem } from "./snippet-inventory.ts";

/** GitLab matches parts of names from this length on; a shorter search matches whole names only. */
const SHORTEST_SEARCH = 3;

/** The account, its projects and snippets. */
export const inventory: Pick<PlatformConnector, "listPlaces" | "listItems" | "getItem"> = {
  listPlaces,

  async listItems(session, { kind, place, name, page, perPage }) {
    const client = gitlabClient(session);
    const wanted = name === null || name.trim() === "" ? null : name.trim().toLowerCase();
    if (kind === "snippet") return await firstMatching(allSnippets(client, place), wanted, { page, perPage });
    refuseUnknownKind(kind);
    if (wanted === null && perPage <= LARGEST_PAGE) {
      const call = projectsCall(place);
      const query = { ...call.query, per_page: perPage, page: page + 1 };
      const { value, next, headers } = await client.page({ ...call, query }, projectsSchema);
      return { items: value.map(projectItem), total: totalOf(headers), hasMore: next !== null };
    }
    return await firstMatching(searchProjects(client, place, wanted), wanted, { page, perPage });
  },

  async getItem(session, { kind, externalId, fullName }) {
    if (kind === "snippet")
      return snippetItem(await getSnippet(gitlabClient(session), { externalId, fullName }));
    refuseUnknownKind(kind);
    return projectItem(await getProject(gitlabClient(session), { externalId, fullName }));
  },
};

/** The number of members in a list. null = GitLab did not count them, as with lists above 10,000. */
export function totalOf(headers: Headers): number | null {
  const total = headers.get("x-total");
  return total !== null && /^[0-9]+$/.test(total) ? Number(total) : null;
}

/**
 * Reads a project by its id, which survives renames and moves. A project marked for deletion counts as gone, although
 * GitLab still keeps it for some days.
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

/** Converts GitLab's project to an item. Its `details` are the project's settings as a version records them. */
export function projectItem(project: GitlabProject): PlatformItem {
  return {
    kind: "project",
    externalId: project.id,
    name: project.name,
    fullName: project.path_with_namespace,
    description: project.description,
    sizeHintBytes: project.statistics?.repository_size ?? null,
    details: projectRecord(project),
  };
}

async function* searchProjects(
  client: HttpClient,
  place: PlatformPlace | null,
  wanted: string | null,
): AsyncGenerator<PlatformItem> {
  const search: Record<string, string> =
    wanted === null || wanted.length < SHORTEST_SEARCH ? {} : { search: wanted };
  const call = projectsCall(place);
  const walk = { ...call, query: { ...call.query, ...search } };
  for await (const project of client.members(walk, projectsSchema, ({ id }) => id))
    yield projectItem(project);
}

/** Returns one page of the matching items; reads the list only as far as needed. */
async function firstMatching(
  items: AsyncIterable<PlatformItem>,
  wanted: string | null,
  { page, perPage }: PageRequest,
): Promise<Page<PlatformItem>> {
  const enough = (page + 1) * perPage + 1;
  const found: PlatformItem[] = [];
  let isWhole = true;
  for await (const item of items) {
    // GitLab also matches descriptions; people search for names.
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
