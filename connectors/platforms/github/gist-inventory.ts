import { z } from "zod";
import type { PlatformItem, PlatformPlace, Session } from "#connectors/contract/platform-connector.ts";
import type { HttpCall } from "#connectors/toolkit/http-client.ts";
import type { Page, PageRequest } from "#core/kernel/page.ts";
import { githubClient, paths } from "./client.ts";
import { type Gist, gistName, gistRecord, gistSchema } from "./read/gist-record.ts";

/** GitHub's largest page. */
const LARGEST_PAGE = 100;
const gistsSchema = z.array(gistSchema);

/** Lists the gists of a place. `name` matches part of a file name or of the description, ignoring case. */
export async function listGists(
  session: Session,
  { place, name, page, perPage }: PageRequest & { place: PlatformPlace | null; name: string | null },
): Promise<Page<PlatformItem>> {
  // Organisations have no gists.
  if (place?.type === "Organization") return { items: [], total: 0, hasMore: false };
  const client = githubClient(session);
  const call = listCall(session, place);
  const wanted = (name ?? "").toLowerCase();
  if (wanted === "" && perPage <= LARGEST_PAGE) {
    const query = { per_page: perPage, page: page + 1 };
    const { value, next } = await client.page({ ...call, query }, gistsSchema);
    return { items: value.map(gistItem), total: null, hasMore: next !== null };
  }
  const enough = (page + 1) * perPage + 1;
  const found: PlatformItem[] = [];
  const walk = { ...call, query: { per_page: LARGEST_PAGE } };
  for await (const gist of client.members(walk, gistsSchema, ({ id }) => id)) {
    const words = [...Object.keys(gist.files), gist.description ?? ""].join("\n").toLowerCase();
    if (words.includes(wanted)) found.push(gistItem(gist));
    if (found.length === enough) break;
  }
  const items = found.slice(page * perPage, (page + 1) * perPage);
  const isWhole = found.length < enough;
  return { items, total: isWhole ? found.length : null, hasMore: !isWhole };
}

/** Reads one gist. @throws ConnectorError `gone` */
export async function getGist(session: Session, externalId: string): Promise<PlatformItem> {
  const call = { method: "GET", path: paths.gist(externalId), about: "this gist" } as const;
  return gistItem(await githubClient(session).request(call, gistSchema));
}

function listCall(session: Session, place: PlatformPlace | null): HttpCall {
  const isOwn = place === null || place.name.toLowerCase() === session.accountName.toLowerCase();
  return {
    method: "GET",
    path: isOwn ? paths.gists : paths.userGists(place.name),
    about: isOwn ? "your gists" : `the gists of ${place.name}`,
    missing: "forbidden",
  };
}

function gistItem(gist: Gist): PlatformItem {
  const sizes = Object.values(gist.files).map(({ size }) => size);
  return {
    kind: "gist",
    externalId: gist.id,
    name: gistName(gist),
    fullName: gist.owner === null ? gist.id : `${gist.owner.login}/${gist.id}`,
    description: gist.description || null,
    sizeHintBytes: sizes.reduce((sum, size) => sum + size, 0),
    details: { record: gistRecord(gist), gitUrl: gist.git_pull_url, comments: gist.comments },
  };
}
