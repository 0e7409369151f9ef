import { z } from "zod";
import { listAnswer, pageOf, readWish } from "../paging.ts";
import { invalid } from "../refused.ts";
import { plainText, renderDataSource, renderPage, titleOf } from "../render.ts";
import type { Fields, Grant, NotionWorld } from "../state.ts";
import { isInTrash, now, reaches } from "../store.ts";

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
 * The answer of a search. It is neither complete nor current (reference §4.2 [N-SEARCH]): it finds nothing that control
 * named as missed, and nothing that changed within the lag. Templates are not found.
 * @throws Refused
 */
export function searchAnswer(world: NotionWorld, grant: Grant, given: unknown): Fields {
  const body = bodySchema.safeParse(given);
  if (!body.success) throw invalid(`body failed validation: ${z.prettifyError(body.error)}`);
  const { query = "", filter, sort, start_cursor, page_size } = body.data;
  const value = filter && "value" in filter ? filter.value : null;
  const wish = readWish(page_size, start_cursor);
  const sign = sort && "direction" in sort && sort.direction === "ascending" ? 1 : -1;
  const found = [
    ...(value === "data_source" ? [] : foundPages(world, query)),
    ...(value === "page" ? [] : foundSources(world, query)),
  ]
    .filter(({ id }) => isFindable(world, grant, id, filter?.in_trash ?? false))
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
    .map(({ id, editedAt }) => ({ id, at: editedAt - (editedAt % 60_000) }));
}

function foundSources({ state }: NotionWorld, query: string): Found[] {
  return Object.values(state.dataSources)
    .filter(({ title }) => fits(plainText(title), query))
    .map(({ id, editedAt }) => ({ id, at: editedAt - (editedAt % 60_000) }));
}

function isFindable(world: NotionWorld, grant: Grant, id: string, isTrash: boolean): boolean {
  const { state, settings } = world;
  const { editedAt } = (state.pages[id] ?? state.dataSources[id])!;
  if (settings.searchLagMs > 0 && editedAt > now(world) - settings.searchLagMs) return false;
  return !state.missedBySearch.includes(id) && reaches(world, grant, id) && isInTrash(world, id) === isTrash;
}

const fits = (title: string, query: string): boolean => title.toLowerCase().includes(query.toLowerCase());
