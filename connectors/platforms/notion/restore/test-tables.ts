import type { Json } from "#core/kernel/canonical-json.ts";
import { chosen, option, type SeedKit, text } from "../simulator/seed-kit.ts";
import type { DataSource, Fields } from "../simulator/state.ts";

/** Types of properties of generated tables; a title is always there. */
export const PROPERTIES = [
  ...[
    "rich_text",
    "number",
    "select",
    "multi_select",
    "status",
    "date",
    "people",
    "files",
    "checkbox",
    "url",
  ],
  ...[
    "email",
    "phone_number",
    "place",
    "unique_id",
    "button",
    "verification",
    "relation",
    "rollup",
    "formula",
  ],
  ...["created_time", "created_by", "last_edited_time", "last_edited_by"],
] as const;

/** A table that was written. Its properties are named by their types, and have ids of their own. */
export type TestTable = {
  databaseId: string;
  source: DataSource;
  rowIds: string[];
  idOf: (type: string) => string;
};

const COLOURS = ["red", "blue", "yellow"].map((name, index) => option(`o-${index}`, name, name));
const CONFIGS: Readonly<Record<string, Fields>> = {
  number: { format: "euro" },
  select: { options: COLOURS },
  multi_select: { options: COLOURS },
  status: {
    options: [option("s-0", "Open", "default"), option("s-1", "Done", "green")],
    groups: [
      { id: "g-0", name: "To-do", color: "gray", option_ids: ["s-0"] },
      { id: "g-1", name: "Complete", color: "green", option_ids: ["s-1"] },
    ],
  },
  unique_id: { prefix: null },
};
/** What a type computes with. */
const NEEDS: Readonly<Record<string, readonly string[]>> = { formula: ["number"], rollup: ["relation"] };

/**
 * Writes a table with properties of these types, each with a value in two rows, and a view. A relation leads to the table
 * itself or to an earlier one, which may show it from its side.
 */
export function writeTable(
  kit: SeedKit,
  {
    by,
    parentId,
    at,
    properties,
  }: { by: string; parentId: string; at: number; properties: readonly string[] },
  earlier: TestTable[],
): TestTable {
  const types = new Set(properties.flatMap((type) => [...(NEEDS[type] ?? []), type]));
  const simple = [...types].filter((type) => !["relation", "rollup", "formula"].includes(type));
  const number = earlier.length;
  const idOf = (type: string) => `${type}-${number}`;
  const schema = Object.fromEntries(
    simple.map((type): [string, Fields] => [idOf(type), { name: type, type, [type]: CONFIGS[type] ?? {} }]),
  );
  const name = `Table ${at}`;
  const { database, source } = kit.database(by, parentId, name, {
    title: { name: "Name", type: "title" },
    ...schema,
  });
  const table: TestTable = { databaseId: database.id, source, rowIds: [], idOf };
  for (const row of [0, 1]) table.rowIds.push(kit.row(by, source, valuesOf(kit, table, { by, at, row })).id);
  kit.view(by, database, source.id, { name: "All", type: "table", configuration: { type: "table" } });
  const target = [table, ...earlier][at % (1 + earlier.length)]!;
  if (types.has("relation")) relate(kit, table, { target, isDual: at % 2 === 1 && target !== table });
  if (types.has("rollup")) addRollup(table);
  if (types.has("formula")) addProperty(table, "formula", { expression: 'prop("number") * 2' });
  earlier.push(table);
  return table;
}

function valuesOf(
  kit: SeedKit,
  { source: { properties }, idOf }: TestTable,
  { by, at, row }: { by: string; at: number; row: number },
): Record<string, Json> {
  const name = `note ${at} ${row}.txt`;
  const file = (): Json => ({
    ...{ name, ...kit.file(name, "text/plain", new TextEncoder().encode(name)) },
  });
  const values: Record<string, () => Json> = {
    rich_text: () => [text("Runs "), text("well", { bold: true })],
    number: () => 100 + row,
    select: () => chosen(properties[idOf("select")], "blue"),
    multi_select: () => ["red", "yellow"].map((each) => chosen(properties[idOf("multi_select")], each)),
    status: () => chosen(properties[idOf("status")], row === 0 ? "Open" : "Done"),
    date: () => ({ start: "2026-11-03", end: row === 0 ? null : "2026-11-05", time_zone: null }),
    people: () => [{ object: "user", id: by }],
    files: () => [
      file(),
      { name: "manual", type: "external", external: { url: "https://trucks.example/manual.pdf" } },
    ],
    checkbox: () => true,
    url: () => `https://track.example/${at}`,
    email: () => `cab${row}@meridian.example`,
    phone_number: () => `+46 31 000 ${row}`,
    place: () => ({ lat: 57.7, lon: 11.9, name: "Gate 3", address: "Quay 1" }),
  };
  const own: Record<string, Json> = { title: `Row ${at}.${row}` };
  for (const [type, value] of Object.entries(values)) if (properties[idOf(type)]) own[idOf(type)] = value();
  return own;
}

function addProperty(
  { source, idOf }: TestTable,
  type: string,
  config: Fields,
  { id = idOf(type), name = type } = {},
): void {
  source.properties[id] = { id, name, description: null, type, [type]: config };
}

/** Relates each row to the one at the same place in the target. */
function relate(
  { world: { state } }: SeedKit,
  table: TestTable,
  { target, isDual }: { target: TestTable; isDual: boolean },
): void {
  const to = ({ id, databaseId }: DataSource) => ({ database_id: databaseId, data_source_id: id });
  const pair = (id: string, name: string) => ({
    ...{ type: "dual_property", dual_property: { synced_property_id: id, synced_property_name: name } },
  });
  const { source, rowIds, idOf } = table;
  const own = { id: idOf("relation"), name: "relation" };
  const partner = { id: `from-${own.id}`, name: `Seen from ${own.id}` };
  const form = isDual ? pair(partner.id, partner.name) : { type: "single_property", single_property: {} };
  addProperty(table, "relation", { ...to(target.source), ...form });
  if (isDual) addProperty(target, "relation", { ...to(source), ...pair(own.id, own.name) }, partner);
  for (const [row, id] of rowIds.entries()) {
    const other = target.rowIds[row]!;
    state.pages[id]!.values[own.id] = { type: "relation", relation: [{ id: other }] };
    if (isDual) state.pages[other]!.values[partner.id] = { type: "relation", relation: [{ id }] };
  }
}

/** The titles of the related rows. */
function addRollup(table: TestTable): void {
  addProperty(table, "rollup", {
    ...{ function: "show_original", relation_property_id: table.idOf("relation") },
    ...{ relation_property_name: "relation", rollup_property_id: "title", rollup_property_name: "Name" },
  });
}
