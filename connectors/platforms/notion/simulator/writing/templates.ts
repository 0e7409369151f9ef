import { readObject, readText, readUuid, unfit } from "../properties/read-input.ts";
import { reach, type Writer } from "../properties/writer.ts";
import { invalid } from "../refused.ts";
import type { DataSource, NotionWorld, Page } from "../state.ts";
import { childrenOf, createBlock, findThing } from "../store.ts";

const TYPES = ["none", "default", "template_id"] as const;

/** Reads which template a row is made from; null = none. Source: contract, `CreatePageBodyParameters`. */
export function readTemplate(
  { world, grant }: Writer,
  value: unknown,
  source: DataSource | null,
): Page | null {
  if (value === undefined) return null;
  const input = readObject(value, "body.template", ["type", "template_id", "timezone"]);
  const { type } = input;
  if (!TYPES.includes(type as (typeof TYPES)[number]))
    throw unfit("body.template.type", TYPES.join(" or "), type);
  if (type === "none") return null;
  if (input.timezone !== undefined) readText(input.timezone, "body.template.timezone", 100);
  if (source === null) throw invalid("Only rows of a data source have templates.");
  const id =
    type === "default" ? source.defaultTemplateId : readUuid(input.template_id, "body.template.template_id");
  if (id === null) throw invalid("The data source has no default template.");
  const { thing } = reach({ world, grant }, id, ["page"], "page");
  if (!source.templateIds.includes(id)) throw invalid(`${id} is not a template of the data source.`);
  return thing;
}

/**
 * Fills a page from a template: values that it lacks, icon, cover and blocks. Notion does it after its answer; here it is
 * done at once, so what reads right after may see more than it would there.
 */
export function applyTemplate(world: NotionWorld, template: Page, page: Page, by: string): void {
  page.values = { ...structuredClone(template.values), ...page.values };
  page.icon ??= template.icon;
  page.cover ??= template.cover;
  copyBlocks(world, template.id, page.id, by);
}

function copyBlocks(world: NotionWorld, fromId: string, toId: string, by: string): void {
  for (const id of childrenOf(world, fromId)) {
    const found = findThing(world, id);
    if (found?.kind !== "block") continue;
    const { type, payload } = found.thing;
    const copy = createBlock(world, { parentId: toId, type, payload: structuredClone(payload), by });
    copyBlocks(world, id, copy.id, by);
  }
}
