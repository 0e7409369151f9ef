import type { HttpClient } from "#connectors/toolkit/http-client.ts";
import { paths } from "../client.ts";
import { type NotionPage, propertyItemsSchema } from "../payloads.ts";
import { readList } from "../read-list.ts";

/** Items of a value that come with the page (Notion's documentation, "Retrieve a page": at most 25 references). */
const INLINE_ITEMS = 25;
/** Types of values that are lists of their own; the value of a property item is one member of them (SDK's types). */
const LISTS = new Set(["title", "rich_text", "people", "relation"]);

/** The page with the whole values of properties that are cut in the answer: a request for each 100 items. */
export async function wholeValues(client: HttpClient, page: NotionPage): Promise<NotionPage> {
  const properties: NotionPage["properties"] = {};
  for (const [name, value] of Object.entries(page.properties)) {
    properties[name] = isCut(value) ? await wholeValue(client, page.id, value) : value;
  }
  return { ...page, properties };
}

type Value = NotionPage["properties"][string];

function isCut(value: Value): boolean {
  const items = value[value.type];
  if (!LISTS.has(value.type) || !Array.isArray(items)) return false;
  return value.has_more === true || items.length >= INLINE_ITEMS;
}

async function wholeValue(client: HttpClient, pageId: string, value: Value): Promise<Value> {
  const { id, type, has_more: _, ...rest } = value;
  const call = {
    method: "GET",
    path: paths.pageProperty(pageId, id),
    about: "a property of this page",
  } as const;
  const items: unknown[] = [];
  for await (const { answer } of readList(client, call, propertyItemsSchema)) {
    for (const item of answer.results) if (item.type === type) items.push(item[type]);
  }
  return { ...rest, id, type, [type]: items };
}
