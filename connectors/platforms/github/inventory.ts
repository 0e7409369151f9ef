import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type {
  PlatformConnector,
  PlatformItem,
  PlatformPlace,
  Session,
} from "#connectors/contract/platform-connector.ts";
import type { HttpCall, HttpClient } from "#connectors/toolkit/http-client.ts";
import type { Page, PageRequest } from "#core/kernel/page.ts";
import { requireApp } from "./accounts.ts";
import { githubClient, paths } from "./client.ts";
import { getGist, listGists } from "./gist-inventory.ts";
import {
  accountSchema,
  type GithubAccount,
  type GithubRepository,
  organisationsSchema,
  repositoriesSchema,
  repositorySchema,
} from "./payloads.ts";
import { repositoryRecord } from "./read/repository-record.ts";

/** GitHub's largest page. */
const LARGEST_PAGE = 100;
const KIB = 1024;

/** Lists places and items, and reads single items. */
export const inventory: Pick<PlatformConnector, "listPlaces" | "listItems" | "getItem"> = {
  async listPlaces(session, { page, perPage }) {
    const client = githubClient(session);
    const user = await client.request(
      { method: "GET", path: paths.user, about: "your account" },
      accountSchema,
    );
    const places = [{ ...placeOf(user), isOwn: true }];
    const call: HttpCall = {
      method: "GET",
      path: paths.userOrganisations,
      query: { per_page: LARGEST_PAGE },
      about: "your organisations",
      missing: "forbidden",
    };
    for await (const organisation of client.members(call, organisationsSchema, (one) => one.id)) {
      places.push({ ...placeOf(organisation), type: "Organization" });
    }
    return slice(places, { page, perPage }, true);
  },

  async listItems(session, { kind, place, name, page, perPage }) {
    if (kind === "gist") return await listGists(session, { place, name, page, perPage });
    refuseUnknownKind(kind);
    const client = githubClient(session);
    const call = listCall(session, place);
    if (name !== null && name !== "") return await search(client, call, name, { page, perPage });
    if (perPage > LARGEST_PAGE) return await search(client, call, "", { page, perPage });
    const query = { ...call.query, per_page: perPage, page: page + 1 };
    const { value, next } = await client.page({ ...call, query }, repositoriesSchema);
    return { items: value.map(itemOf), total: null, hasMore: next !== null };
  },

  async getItem(session, { kind, externalId, fullName }) {
    if (kind === "gist") return await getGist(session, externalId);
    refuseUnknownKind(kind);
    try {
      return itemOf(await getRepository(githubClient(session), { externalId, fullName }));
    } catch (error) {
      if (error instanceof ConnectorError && (error.kind === "gone" || error.kind === "forbidden"))
        await requireApp(session, fullName);
      throw error;
    }
  },
};

/** Reads a repository by its id, which survives a rename or transfer. @throws ConnectorError `gone` */
export async function getRepository(
  client: HttpClient,
  { externalId, fullName }: { externalId: string; fullName: string },
): Promise<GithubRepository> {
  const path = externalId === "" ? paths.repositoryByName(fullName) : paths.repository(externalId);
  const about = fullName === "" ? "this repository" : `the repository ${fullName}`;
  return await client.request({ method: "GET", path, about }, repositorySchema);
}

/** Converts a GitHub repository to an item. Its `details` are the record of the repository's settings. */
export function itemOf(repository: GithubRepository): PlatformItem {
  return {
    kind: "repository",
    externalId: repository.id,
    name: repository.name,
    fullName: repository.full_name,
    description: repository.description,
    sizeHintBytes: repository.size === null ? null : repository.size * KIB,
    ...(repository.owner && { placeExternalId: repository.owner.id }),
    details: repositoryRecord(repository),
  };
}

function placeOf(account: GithubAccount): PlatformPlace {
  const { id: externalId, login: name, type, node_id: nodeId } = account;
  return { externalId, name, type, isOwn: false, details: { nodeId } };
}

/** Private repositories appear in the user's own list and in those of organisations, never in another user's. */
function listCall(session: Session, place: PlatformPlace | null): HttpCall {
  const order = { sort: "full_name", direction: "asc" };
  if (place?.type === "Organization") {
    return {
      method: "GET",
      path: paths.organisationRepositories(place.name),
      query: { type: "all", ...order },
      about: `the organisation ${place.name}`,
      missing: "forbidden",
    };
  }
  if (place === null || place.name.toLowerCase() === session.accountName.toLowerCase()) {
    const query = { affiliation: "owner", ...order };
    return {
      method: "GET",
      path: paths.ownRepositories,
      query,
      about: "your repositories",
      missing: "forbidden",
    };
  }
  return {
    method: "GET",
    path: paths.userRepositories(place.name),
    query: { type: "owner", ...order },
    about: `the user ${place.name}`,
    missing: "forbidden",
  };
}

/** Finds repositories by part of a name. GitHub's search matches whole words only, so this walks the list. */
async function search(
  client: HttpClient,
  call: HttpCall,
  name: string,
  page: PageRequest,
): Promise<Page<PlatformItem>> {
  const wanted = name.toLowerCase();
  const enough = (page.page + 1) * page.perPage + 1;
  const found: PlatformItem[] = [];
  const walk = { ...call, query: { ...call.query, per_page: LARGEST_PAGE } };
  let isWhole = true;
  for await (const repository of client.members(walk, repositoriesSchema, (one) => one.id)) {
    if (!repository.name.toLowerCase().includes(wanted)) continue;
    found.push(itemOf(repository));
    if (found.length < enough) continue;
    isWhole = false;
    break;
  }
  return slice(found, page, isWhole);
}

function slice<T>(all: T[], { page, perPage }: PageRequest, isWhole: boolean): Page<T> {
  const items = all.slice(page * perPage, (page + 1) * perPage);
  return { items, total: isWhole ? all.length : null, hasMore: all.length > (page + 1) * perPage };
}

function refuseUnknownKind(kind: string): void {
  if (kind === "repository") return;
  throw new ConnectorError("unsupported", `Holdfast does not back up ${kind} from GitHub.`);
}
