import type { Json } from "#core/kernel/canonical-json.ts";
import { listAnswer, type PageWish } from "../paging.ts";
import { renderValues } from "../properties/render-values.ts";
import { unescaped } from "../properties/schema.ts";
import { invalid, Refused } from "../refused.ts";
import { signFiles } from "../sign-files.ts";
import type { Fields, NotionWorld, Page } from "../state.ts";

const LISTS = ["title", "rich_text", "people", "relation"];

/**
 * The answer of `GET /pages/{id}/properties/{property}`: the value, or a page of the items of a long one.
 * @param propertyId As in the path; escaped or not
 * @throws Refused
 */
export function propertyAnswer(world: NotionWorld, page: Page, propertyId: string, wish: PageWish): Fields {
  const values = Object.values(renderValues(world, page)) as Fields[];
  const value = values.find(({ id }) => id === propertyId || unescaped(String(id)) === propertyId);
  if (value === undefined)
    throw new Refused("object_not_found", `Could not find property with ID: ${propertyId}.`);
  const { id, type } = value as { id: string; type: string };
  const content = signFiles(world, value[type] ?? null);
  if (type === "rollup") return rollupAnswer(world, page, { id, content: content as Fields }, wish);
  if (!LISTS.includes(type)) return { object: "property_item", type, id, [type]: content };
  return itemsAnswer(
    world,
    page,
    { id, type, of: {}, wish },
    (content as Json[]).map((item) => ({ type, [type]: item })),
  );
}

/** A rollup of an array gives its values one by one, and its function beside them. */
function rollupAnswer(
  world: NotionWorld,
  page: Page,
  { id, content }: { id: string; content: Fields },
  wish: PageWish,
): Fields {
  if (content.type !== "array") return { object: "property_item", type: "rollup", id, rollup: content };
  const of = { type: "array", array: [], function: content.function ?? null };
  const items = (content.array as Fields[]).flatMap((value): Fields[] => {
    const type = String(value.type);
    const inner = value[type] ?? null;
    return LISTS.includes(type) && Array.isArray(inner)
      ? inner.map((each) => ({ type, [type]: each }))
      : [{ type, [type]: inner }];
  });
  return itemsAnswer(world, page, { id, type: "rollup", of, wish }, items);
}

function itemsAnswer(
  world: NotionWorld,
  page: Page,
  { id, type, of, wish }: { id: string; type: string; of: Fields; wish: PageWish },
  items: readonly Fields[],
): Fields {
  const from = wish.cursor === null ? 0 : readCursor(wish.cursor);
  const until = from + wish.size;
  const results = items.slice(from, until).map((item) => ({ object: "property_item", id, ...item }));
  const next = until < items.length ? Buffer.from(`item ${until}`).toString("base64url") : null;
  const url = `${world.url}/v1/pages/${page.id}/properties/${id}?start_cursor=${next}`;
  const { property_item: _, ...list } = listAnswer("property_item", results, next);
  return { ...list, property_item: { id, next_url: next === null ? null : url, type, [type]: of } };
}

function readCursor(cursor: string): number {
  const at = /^item (\d+)$/.exec(Buffer.from(cursor, "base64url").toString())?.[1];
  if (at === undefined) throw invalid(`The start_cursor provided is invalid: ${cursor}`);
  return Number(at);
}
