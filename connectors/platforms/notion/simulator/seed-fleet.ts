import type { Json } from "#core/kernel/canonical-json.ts";
import { chosen, option, type SeedKit, text } from "./seed-kit.ts";
import type { Database, DataSource, Fields, Page } from "./state.ts";

type Crew = { by: string; other: string };
export type Fleet = { database: Database; lorries: DataSource; depots: DataSource; rows: Page[] };

const STATUS: Fields = {
  options: [
    option("st-1", "In the yard", "default"),
    option("st-2", "On the road", "blue"),
    option("st-3", "Retired", "green"),
  ],
  groups: [
    { id: "g-1", name: "To-do", color: "gray", option_ids: ["st-1"] },
    { id: "g-2", name: "In progress", color: "blue", option_ids: ["st-2"] },
    { id: "g-3", name: "Complete", color: "green", option_ids: ["st-3"] },
  ],
};
const CLASSES = ["Tractor", "Box", "Tanker"].map((name, index) =>
  option(`c-${index}`, name, ["orange", "purple", "brown"][index]!),
);
const PAPERS = ["ADR", "Fridge", "Crane"].map((name, index) =>
  option(`p-${index}`, name, ["red", "blue", "yellow"][index]!),
);

const LORRIES: Record<string, Fields> = {
  title: { name: "Lorry", type: "title" },
  NoTe: { name: "Note", type: "rich_text" },
  "%3Akm%5E": { name: "Kilometres", type: "number", number: { format: "number_with_commas" } },
  "rAt%7B": { name: "Rate", type: "number", number: { format: "euro" } },
  Kind: { name: "Class", type: "select", select: { options: CLASSES } },
  PapR: { name: "Papers", type: "multi_select", multi_select: { options: PAPERS } },
  Stat: { name: "Status", type: "status", status: STATUS },
  insp: { name: "Inspection", type: "date" },
  drvR: { name: "Drivers", type: "people" },
  docs: { name: "Documents", type: "files" },
  tach: { name: "Tachograph", type: "checkbox" },
  "wEb%5B": { name: "Tracker", type: "url" },
  mail: { name: "Cab e-mail", type: "email" },
  phon: { name: "Cab phone", type: "phone_number" },
  cost: { name: "Cost", type: "formula", formula: { expression: 'prop("Kilometres") * prop("Rate")' } },
  mdAt: { name: "Created", type: "created_time" },
  mdBy: { name: "Created by", type: "created_by" },
  edAt: { name: "Edited", type: "last_edited_time" },
  edBy: { name: "Edited by", type: "last_edited_by" },
  uqId: { name: "Number", type: "unique_id", unique_id: { prefix: "MF" } },
  bttn: { name: "Book service", type: "button" },
  whre: { name: "Parked at", type: "place" },
};

/** The fleet: lorries with every type of property, in a database whose second source has the depots. */
export function seedFleet(kit: SeedKit, parentId: string | null, { by, other }: Crew): Fleet {
  const icon = { type: "emoji", emoji: "🚚" };
  const description = "Every lorry, and where it sleeps.";
  const facts = { icon, description, isInline: true };
  const { database, source: lorries } = kit.database(by, parentId, "Fleet", LORRIES, facts);
  const depots = kit.source(by, database, "Depots", {
    title: { name: "Depot", type: "title" },
    bths: { name: "Bays", type: "number", number: { format: "number" } },
  });
  relate(lorries, depots);
  const towns = ["Göteborg", "Malmö", "Kiel"].map((town, index) =>
    kit.row(by, depots, { title: `Depot ${town}`, bths: 4 + index }),
  );
  const rows = ["Lorry 7", "Lorry 12", "Таможня 🚛", "Lorry 21"].map((title, index) =>
    seedLorry(kit, lorries, { title, index, town: towns[index % towns.length]! }, { by, other }),
  );
  for (const town of towns)
    tellBack(
      town,
      lorries.rowIds.map((id) => kit.world.state.pages[id]!),
    );
  seedTemplates(kit, lorries, by);
  seedViews(kit, database, lorries, depots, by);
  return { database, lorries, depots, rows };
}

function seedLorry(
  kit: SeedKit,
  lorries: DataSource,
  { title, index, town }: { title: string; index: number; town: Page },
  { by, other }: Crew,
): Page {
  const file = kit.file(
    `inspection-${index}.pdf`,
    "application/pdf",
    new TextEncoder().encode(`%PDF ${index}`),
  );
  const properties = lorries.properties;
  const values: Record<string, Json> = {
    // The second one's note is longer than what a page shows of it.
    NoTe: index === 1 ? longNote() : [text("Runs "), text("well", { bold: true })],
    ...{ title, "%3Akm%5E": 120_000 + index * 777 },
    ...{ "rAt%7B": 1.25, Kind: chosen(properties.Kind, ["Tractor", "Box", "Tanker"][index % 3]!) },
    PapR: ["ADR", "Crane"].slice(0, 1 + (index % 2)).map((name) => chosen(properties.PapR, name)),
    Stat: chosen(properties.Stat, ["In the yard", "On the road", "Retired"][index % 3]!),
    insp: { start: `2026-1${index % 3}-0${index + 1}`, end: null, time_zone: null },
    drvR: [by, other].slice(0, 1 + (index % 2)).map((id) => ({ object: "user", id })),
    docs: [{ name: `inspection-${index}.pdf`, ...file }, OUTSIDE],
    ...{
      tach: index % 2 === 0,
      "wEb%5B": `https://track.example/${index}`,
      mail: `cab${index}@meridian.example`,
    },
    ...{ phon: `+46 31 000 ${index}`, depR: [{ id: town.id }] },
    whre: { lat: 57.7, lon: 11.9 + index / 10, name: "Gate 3", address: "Quay 1" },
  };
  const row = kit.row(by, lorries, values, { icon: { type: "emoji", emoji: "🚛" } });
  kit.write(by, row.id, "heading_2", "Log", { is_toggleable: false });
  kit.write(other, row.id, "paragraph", `New tyres for ${title}.`);
  if (index === 0) kit.comment(other, row.id, "The mirror is loose again.");
  return row;
}

const OUTSIDE = {
  ...{ name: "manual", type: "external" },
  external: { url: "https://trucks.example/manual.pdf" },
};

const longNote = () =>
  Array.from({ length: 32 }, (_, at) => text(`Entry ${at}. `, at % 2 === 0 ? {} : { italic: true }));

/** The pair of relations between lorries and depots, and what rolls up over them. */
function relate(lorries: DataSource, depots: DataSource): void {
  const relation = (key: string, name: string, to: DataSource, partner: { key: string; name: string }) => ({
    ...{ id: key, name, description: null, type: "relation" },
    relation: {
      ...{ database_id: to.databaseId, data_source_id: to.id, type: "dual_property" },
      dual_property: { synced_property_id: partner.key, synced_property_name: partner.name },
    },
  });
  const rollup = (key: string, name: string, config: Fields) => ({
    ...{ id: key, name, description: null, type: "rollup", rollup: config },
  });
  lorries.properties.depR = relation("depR", "Depot", depots, { key: "lrry", name: "Lorries" });
  depots.properties.lrry = relation("lrry", "Lorries", lorries, { key: "depR", name: "Depot" });
  lorries.properties.bayS = rollup("bayS", "Bays there", {
    ...{ function: "sum", rollup_property_name: "Bays", relation_property_name: "Depot" },
    ...{ rollup_property_id: "bths", relation_property_id: "depR" },
  });
  depots.properties.kmAl = rollup("kmAl", "Kilometres", {
    ...{ function: "show_original", rollup_property_name: "Kilometres", relation_property_name: "Lorries" },
    ...{ rollup_property_id: "%3Akm%5E", relation_property_id: "lrry" },
  });
}

/** The other side of a dual relation: every lorry that names the depot. */
function tellBack(town: Page, lorries: readonly Page[]): void {
  const own = lorries.filter((lorry) => {
    const related = (lorry.values.depR?.relation ?? []) as { id: string }[];
    return related.some(({ id }) => id === town.id);
  });
  town.values.lrry = { type: "relation", relation: own.map(({ id }) => ({ id })) };
}

function seedTemplates(kit: SeedKit, lorries: DataSource, by: string): void {
  for (const title of ["New lorry", "Rented lorry"]) {
    const template = kit.row(by, lorries, { title, "rAt%7B": 1 }, { kind: "template" });
    kit.write(by, template.id, "to_do", "Order number plates", { checked: false });
    lorries.defaultTemplateId ??= template.id;
  }
}

function seedViews(
  kit: SeedKit,
  database: Database,
  lorries: DataSource,
  depots: DataSource,
  by: string,
): void {
  const view = (source: DataSource, body: Fields) => kit.view(by, database, source.id, body);
  const shown = ["title", "Stat", "insp"].map((property_id) => ({ property_id, visible: true, width: 200 }));
  view(lorries, { name: "All lorries", type: "table", configuration: { type: "table", properties: shown } });
  const group_by = { type: "status", property_id: "Stat", group_by: "option", sort: { type: "manual" } };
  view(lorries, { name: "By status", type: "board", configuration: { type: "board", group_by } });
  view(lorries, {
    ...{ name: "Inspections", type: "calendar" },
    configuration: { type: "calendar", date_property_id: "insp" },
    filter: { property: "insp", date: { is_not_empty: true } },
  });
  view(lorries, {
    ...{ name: "Cards", type: "gallery", configuration: { type: "gallery", cover_size: "medium" } },
    sorts: [{ property: "Lorry", direction: "ascending" }],
  });
  view(lorries, { name: "List", type: "list", configuration: { type: "list" } });
  view(depots, { name: "Depots", type: "table", configuration: { type: "table" } });
}
