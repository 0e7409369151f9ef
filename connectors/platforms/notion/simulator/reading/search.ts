import { z } from "zod";
import { listAnswer, pageOf, readWish } from "../paging.ts";
import { invalid } from "../refused.ts";
import { plainText, renderDataSource, renderPage, titleOf } from "../render.ts";
import type { Fields, Grant, NotionWorld } from "../state.ts";
import { findThing, now, parentOf, wholeMinute } from "../store.ts";

/** Source: contract, `SearchBodyParameters`. */
const bodySchema = z.strictObject({
  query: z.string().optional(),
  filter: z
    .union([
      z.strictObject({
        property: z.literal("object"),
        value: z.enum(["page", "data_source"]),
        in_trash: z.boolean().optional(),
      }),
      z.strictObject({ in_trash: z.boolean() }),
    ])
    .optional(),
  sort: z
    .union([
      z.strictObject({
        timestamp: z.literal("last_edited_time"),
        direction: z.enum(["ascending", "descending"]),
      }),
      z.strictObject({ property: z.literal("relevance") }),
    ])
    .optional(),
  start_cursor: z.string().nullish(),
  page_size: z.number().optional(),
});

type Found = { id: string; at: number };

/**
 * The answer of a search. It is neither complete nor current [search]: it finds nothing that control
 * named as missed, and nothing that changed within the lag. Unproven: templates are not found.
 * @throws Refused
 */
export function searchAnswer(world: NotionWorld, grant: Grant, given: unknown): Fields {
  const body = bodySchema.safeParse(given);
  if (!body.success) throw invalid(`body failed validation: ${z.prettifyError(body.error)}`);
  const { query = "", filter, sort, start_cursor, page_size } = body.data;
  const value = filter && "value" in filter ? filter.value : null;
  const wish = readWish(page_size, start_cursor);
  const sign = sort && "direction" in sort && sort.direction === "ascending" ? 1 : -1;
  const isFound = finder(world, grant, filter?.in_trash ?? false);
  const found = [
    ...(value === "data_source" ? [] : foundPages(world, query)),
    ...(value === "page" ? [] : foundSources(world, query)),
  ]
    .filter(({ id }) => isFound(id))
    .sort((one, other) => sign * (one.at - other.at) || (one.id < other.id ? -1 : 1));
  const { ids, next } = pageOf(
    found.map(({ id }) => id),
    wish,
  );
  const results = ids.map((id) => {
    const page = world.state.pages[id];
    return page ? renderPage(world, page) : renderDataSource(world, world.state.dataSources[id]!);
  });
  return listAnswer("page_or_data_source", results, next);
}

function foundPages({ state }: NotionWorld, query: string): Found[] {
  return Object.values(state.pages)
    .filter((page) => page.kind !== "template" && fits(titleOf(page), query))
    .map(({ id, editedAt }) => ({ id, at: wholeMinute(editedAt) }));
}

function foundSources({ state }: NotionWorld, query: string): Found[] {
  return Object.values(state.dataSources)
    .filter(({ title }) => fits(plainText(title), query))
    .map(({ id, editedAt }) => ({ id, at: wholeMinute(editedAt) }));
}

/** Tells whether search finds something. It looks at each thing above only once, because there may be many below. */
function finder(world: NotionWorld, grant: Grant, isTrash: boolean): (id: string) => boolean {
  const { state, settings } = world;
  const missed = new Set(state.missedBySearch);
  const roots = new Set(grant.rootIds);
  const knownPlaces = new Map<string, { isReached: boolean; isTrashed: boolean }>();
  const placeOf = (id: string): { isReached: boolean; isTrashed: boolean } => {
    const known = knownPlaces.get(id);
    if (known) return known;
    const above = parentOf(world, id);
    const place = above === null ? { isReached: false, isTrashed: false } : { ...placeOf(above) };
    place.isReached ||= roots.has(id);
    place.isTrashed ||= findThing(world, id)?.thing.isTrashed === true;
    knownPlaces.set(id, place);
    return place;
  };
  const latest = settings.searchLagMs > 0 ? now(world) - settings.searchLagMs : Number.POSITIVE_INFINITY;
  return (id) => {
    const { editedAt, workspaceId } = (state.pages[id] ?? state.dataSources[id])!;
    if (workspaceId !== grant.workspaceId || editedAt > latest || missed.has(id)) return false;
    const { isReached, isTrashed } = placeOf(id);
    return isReached && isTrashed === isTrash;
  };
}

const fits = (title: string, query: string): boolean =>
  query === "" || title.toLowerCase().includes(query.toLowerCase());
