import type { Json } from "#core/kernel/canonical-json.ts";
import { invalid } from "../refused.ts";
import type { DataSource, Fields, NotionWorld, Page } from "../state.ts";
import { readList, readObject, readUuid } from "./read-input.ts";
import type { Property } from "./schema.ts";
import { reach, type Writer } from "./writer.ts";

/** Most relations of one write. Source: [limits]. */
const RELATIONS = 100;

type Context = {
  source: DataSource | null;
  page: Page | null;
  property: Property;
  written: { after: ((page: Page) => void)[] };
};

/** Reads a relation's value; the other rows of a dual relation change too, once the request is known to fit. */
export function readRelated(writer: Writer, value: unknown, place: string, context: Context): Json {
  const config = context.property.relation as Fields;
  const ids = readList(value, place, RELATIONS).map((each, index) => {
    const here = `${place}[${index}]`;
    const id = readUuid(readObject(each, here, ["id"]).id, `${here}.id`);
    const { thing } = reach(writer, id, ["page"], "page");
    const { kind, parent } = thing;
    if (kind !== "row" || parent.type !== "data_source_id" || parent.id !== config.data_source_id)
      throw invalid(`${here}: the page ${id} is not a row of the related data source.`);
    return id;
  });
  const unique = [...new Set(ids)];
  const partner = (config.dual_property as Fields | undefined)?.synced_property_id;
  if (partner !== undefined) {
    const before = relatedOf(context.page, context.property.id);
    context.written.after.push((page) => {
      for (const id of before.filter((each) => !unique.includes(each)))
        tell(writer.world, id, String(partner), (present) => present.filter((each) => each !== page.id));
      for (const id of unique)
        tell(writer.world, id, String(partner), (present) => [...new Set([...present, page.id])]);
    });
  }
  return unique.map((id) => ({ id }));
}

const relatedOf = (page: Page | null, propertyId: string): string[] =>
  ((page?.values[propertyId]?.relation ?? []) as Fields[]).map(({ id }) => String(id));

/**
 * Changes the other side of a dual relation. Whether that row then counts as edited is not described; it does not here,
 * which is the harder case for a backup.
 */
function tell(
  world: NotionWorld,
  rowId: string,
  propertyId: string,
  change: (ids: string[]) => string[],
): void {
  const row = world.state.pages[rowId]!;
  const ids = change(relatedOf(row, propertyId));
  row.values[propertyId] = { type: "relation", relation: ids.map((id) => ({ id })) };
}
