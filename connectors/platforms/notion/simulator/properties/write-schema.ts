import { invalid } from "../refused.ts";
import type { DataSource, Fields } from "../state.ts";
import { PROPERTY_TYPES, readConfig } from "./configs.ts";
import { isObject, readObject, readText, typeOf, unfit } from "./read-input.ts";
import { readRelation } from "./relations.ts";
import { findProperty, newPropertyId, type Property, propertiesOf } from "./schema.ts";
import type { Writer } from "./writer.ts";

/** Properties of one data source. Source: the documentation of limits; recorded ones have few. */
const PROPERTIES = 500;
const ONE_TITLE = "A data source needs exactly one property of the type title.";

/** What waits until the whole request is known to fit, so that a refused one changes nothing. */
type Change = { name: string; input: unknown; place: string; before: Property | null; type: string | null };

/**
 * Reads the properties of a request into a data source: new ones, changed ones, `null` to remove one and `{ name }` to
 * rename one. Relations come before rollups and those before formulas, because these name the others.
 * @param source A data source; one that is not stored yet when it is made
 */
export function writeSchema(writer: Writer, source: DataSource, value: unknown, place: string): void {
  const draft: DataSource = { ...source, properties: structuredClone(source.properties) };
  const after: (() => void)[] = [];
  const changes = Object.entries(readObject(value, place)).map(([key, input]) =>
    changeOf(source, key, input, `${place}.${key}`),
  );
  changes.sort((a, b) => orderOf(a.type) - orderOf(b.type));
  for (const change of changes) applyChange(writer, draft, change, after);
  const all = propertiesOf(draft);
  if (all.length > PROPERTIES) throw unfit(`${place}.length`, `≤ \`${PROPERTIES}\``, all.length);
  if (all.filter(({ type }) => type === "title").length !== 1) throw invalid(ONE_TITLE);
  source.properties = draft.properties;
  for (const effect of after) effect();
  tellNames(writer, source);
}

const LATE = ["relation", "rollup", "formula"];
const orderOf = (type: string | null) => LATE.indexOf(type ?? "");

function changeOf(source: DataSource, key: string, input: unknown, place: string): Change {
  const before = findProperty(source, key);
  const isRename =
    isObject(input) && Object.keys(input).every((member) => member === "name" || member === "description");
  if (before !== null && (input === null || isRename)) return { name: key, input, place, before, type: null };
  if (input === null) throw invalid(`${place}: there is no such property.`);
  const type = typeOf(readObject(input, place), place, PROPERTY_TYPES);
  // What becomes of values when a property changes its type is not described.
  if (before !== null && before.type !== type)
    throw invalid(`${place} has the type ${before.type}, which cannot become ${type} here.`);
  return { name: before?.name ?? key, input, place, before, type };
}

function applyChange(writer: Writer, draft: DataSource, change: Change, after: (() => void)[]): void {
  const { before, place, type } = change;
  if (change.input === null) {
    remove(writer, draft, before!, after);
    return;
  }
  const input = readObject(change.input, place, [
    "type",
    "name",
    "description",
    ...(type === null ? [] : [type]),
  ]);
  const name = input.name === undefined ? change.name : readText(input.name, `${place}.name`, 2_000);
  const taken = propertiesOf(draft).find((each) => each.name === name && each.id !== before?.id);
  if (name === "" || taken) throw invalid(`${place}: the name ${JSON.stringify(name)} is taken or empty.`);
  const description =
    input.description === undefined
      ? (before?.description ?? null)
      : input.description === null
        ? null
        : readText(input.description, `${place}.description`, 280);
  const id = before?.id ?? newPropertyId(writer.world.state, type!);
  if (before === null && draft.properties[id]) throw invalid(ONE_TITLE);
  if (type === null) {
    draft.properties[id] = { ...before!, name, description };
    return;
  }
  const here = `${place}.${type}`;
  const config =
    type === "relation"
      ? readRelation(writer, input.relation, here, { source: draft, id, name, before, after })
      : readConfig(writer, draft, { type, input: input[type], place: here, before });
  draft.properties[id] = { id, name, description, type, [type]: config };
}

/** Removes a property, its partner, and what computes with it. */
function remove(
  { world }: Writer,
  draft: DataSource,
  { id, type, relation }: Property,
  after: (() => void)[],
): void {
  if (type === "title") throw invalid("The title of a data source cannot be removed.");
  delete draft.properties[id];
  const { dual_property, data_source_id } = (relation ?? {}) as Fields;
  if (!dual_property) return;
  const partner = String((dual_property as Fields).synced_property_id);
  if (data_source_id === draft.id) delete draft.properties[partner];
  else after.push(() => delete world.state.dataSources[String(data_source_id)]?.properties[partner]);
}

/** Updates the names of properties where others repeat them: partners of relations, and rollups. */
function tellNames({ world }: Writer, changed: DataSource): void {
  for (const source of [...Object.values(world.state.dataSources), changed]) {
    for (const property of propertiesOf(source)) {
      const { relation, rollup } = property as { relation?: Fields; rollup?: Fields };
      const pair = relation?.dual_property as Fields | undefined;
      const other = pair && sourceWithId(world.state.dataSources, changed, relation?.data_source_id);
      const partner = other?.properties[String(pair?.synced_property_id)];
      if (pair && partner) pair.synced_property_name = partner.name ?? null;
      if (!rollup) continue;
      const via = source.properties[String(rollup.relation_property_id)];
      const target = sourceWithId(
        world.state.dataSources,
        changed,
        (via?.relation as Fields | undefined)?.data_source_id,
      );
      const wanted = target?.properties[String(rollup.rollup_property_id)];
      if (via) rollup.relation_property_name = via.name ?? null;
      if (wanted) rollup.rollup_property_name = wanted.name ?? null;
    }
  }
}

function sourceWithId(
  all: Record<string, DataSource>,
  changed: DataSource,
  id: unknown,
): DataSource | undefined {
  return id === changed.id ? changed : all[String(id)];
}
