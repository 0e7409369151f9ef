import type { Json } from "#core/kernel/canonical-json.ts";
import type { Fields, NotionWorld } from "./state.ts";
import { findThing } from "./store.ts";

/** Everything that is stored of a page, block or database and of what is below it, for tests to compare. */
export function dumpThing(world: NotionWorld, id: string): Fields {
  const { state } = world;
  const found = findThing(world, id);
  if (found === null) throw new Error(`There is no ${id}`);
  const { kind, thing } = found;
  const all = (ids: readonly string[]): Json[] =>
    ids.filter((each) => findThing(world, each) !== null).map((each) => dumpThing(world, each));
  const own: Fields = { kind, ...(thing as unknown as Fields) };
  const comments = (state.commentsOn[id] ?? []).map((each) => state.comments[each] as unknown as Json);
  if (kind === "database") {
    const { dataSourceIds, viewIds } = found.thing;
    return {
      ...own,
      sources: all(dataSourceIds),
      views: viewIds.map((each) => state.views[each] as unknown as Json),
    };
  }
  if (kind === "data-source")
    return { ...own, rows: all(found.thing.rowIds), templates: all(found.thing.templateIds) };
  return { ...own, comments, children: all(state.children[id] ?? []) };
}
