import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { PlatformItem, PlatformPlace } from "#connectors/contract/platform-connector.ts";
import type { HttpCall, HttpClient } from "#connectors/toolkit/http-client.ts";
import { LARGEST_PAGE, paths } from "./client.ts";
import {
  type GitlabProject,
  type GitlabSnippet,
  projectsSchema,
  snippetSchema,
  snippetsSchema,
} from "./payloads.ts";
import { projectsCall } from "./projects-call.ts";
import { readSnippetKey, snippetKey, snippetName, snippetRecord } from "./read/snippet-record.ts";

/** How many projects' snippet lists are read in parallel. */
const LISTS_AT_ONCE = 5;

/** Reads a snippet by its {@link snippetKey}. @throws ConnectorError `gone` */
export async function getSnippet(
  client: HttpClient,
  { externalId, fullName }: { externalId: string; fullName: string },
): Promise<GitlabSnippet> {
  const { projectId, id } = readSnippetKey(externalId);
  const about = `the snippet ${fullName}`;
  return await client.request({ method: "GET", path: paths.snippet(projectId, id), about }, snippetSchema);
}

/** Converts a snippet to an item; the title is the name. */
export function snippetItem(snippet: GitlabSnippet): PlatformItem {
  return {
    kind: "snippet",
    externalId: snippetKey(snippet),
    name: snippet.title,
    fullName: snippetName(snippet),
    description: snippet.description,
    sizeHintBytes: null,
    details: snippetRecord(snippet),
  };
}

/**
 * The account's own snippets, then those of other people in its projects. With a place: the snippets of its projects,
 * and in the account's own namespace also the personal ones. GitLab cannot list other people's snippets at once, so
 * each project with snippets is read. A caller that needs only the first page rarely gets that far.
 */
export async function* allSnippets(
  client: HttpClient,
  place: PlatformPlace | null,
): AsyncGenerator<PlatformItem> {
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
  const isOwnWanted = ({ project_id }: GitlabSnippet) => place === null || project_id === null;
  if (place === null || place.isOwn) {
    for await (const snippet of client.members(own, snippetsSchema, ({ id }) => id)) {
      if (isOwnWanted(snippet)) yield* fresh([snippet]);
    }
  }
  let batch: GitlabProject[] = [];
  for await (const project of client.members(projectsCall(place), projectsSchema, ({ id }) => id)) {
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

/** Snippets of one project; empty when the account may not see them. */
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
