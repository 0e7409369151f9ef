import type { Json } from "#core/kernel/canonical-json.ts";
import type { DataSource, Fields, NotionWorld, Page } from "../state.ts";
import { wholeMinute } from "../store.ts";
import { formulaValue } from "./formula.ts";
import { rollUp } from "./roll-up.ts";

/** The value of a property that was never set, by its type. Source: contract, the nullable members of each value. */
const EMPTY: Fields = {
  ...{ title: [], rich_text: [], people: [], relation: [], multi_select: [], files: [] },
  ...{ number: null, select: null, status: null, date: null, url: null, email: null, phone_number: null },
  ...{ checkbox: false, place: null, verification: null, button: {} },
};

/** All property values of a page as answers show them, by name, with long lists whole and files not yet signed. */
export function renderValues(world: NotionWorld, page: Page): Fields {
  const source = page.parent.type === "data_source_id" ? world.state.dataSources[page.parent.id] : undefined;
  if (source === undefined) {
    const { title = [] } = page.values.title ?? {};
    return { title: { id: "title", type: "title", title } };
  }
  return Object.fromEntries(
    Object.values(source.properties).map((property) => {
      const { id, name, type } = property as { id: string; name: string; type: string };
      return [name, { id, type, [type]: bareValue(world, { page, source, property }) }];
    }),
  );
}

/**
 * The bare value of one property of a row.
 * @param depth formulas that led to this value
 */
export function bareValue(
  world: NotionWorld,
  { page, source, property }: { page: Page; source: DataSource; property: Fields },
  depth = 0,
): Json {
  const { id, type } = property as { id: string; type: string };
  switch (type) {
    case "created_time":
    case "last_edited_time": {
      const at = type === "created_time" ? page.createdAt : page.editedAt;
      return new Date(wholeMinute(at)).toISOString();
    }
    case "created_by":
    case "last_edited_by":
      return { object: "user", id: type === "created_by" ? page.createdBy : page.editedBy };
    case "unique_id": {
      const { prefix = null } = property.unique_id as Fields;
      return { prefix, number: page.number };
    }
    case "rollup":
      return rollUp(world, property, {
        rows: relatedIds(world, page, String((property.rollup as Fields).relation_property_id)),
        read: (row, other, target) => bareValue(world, { page: row, source: other, property: target }, depth),
      });
    case "formula":
      // A seed may store the result of a formula that cannot be computed here.
      return (
        page.values[id]?.formula ??
        formulaValue({ source, property, depth }, (other) =>
          bareValue(world, { page, source, property: other }, depth + 1),
        )
      );
    case "relation":
      return relatedIds(world, page, id).map((related) => ({ id: related }));
    case "select":
    case "status":
    case "multi_select":
      return withPresentOptions(property, page.values[id]?.[type] ?? EMPTY[type] ?? null);
    default:
      return page.values[id]?.[type] ?? (type in EMPTY ? EMPTY[type]! : {});
  }
}

/** Options are shown with the name and colour that they have now. */
function withPresentOptions(property: Fields, value: Json): Json {
  if (Array.isArray(value)) return value.map((each) => withPresentOptions(property, each));
  if (value === null) return null;
  const { id, name = null, color = null } = value as Fields;
  const options = ((property[String(property.type)] as Fields | undefined)?.options ?? []) as Fields[];
  const option = options.find((each) => each.id === id);
  return { id: id ?? null, name: option?.name ?? name, color: option?.color ?? color };
}

/** Ids of the rows that a relation names and that are not in the trash. */
export function relatedIds(world: NotionWorld, page: Page, propertyId: string): string[] {
  const items = (page.values[propertyId]?.relation ?? []) as { id: string }[];
  return items.map(({ id }) => id).filter((id) => world.state.pages[id]?.isTrashed === false);
}
