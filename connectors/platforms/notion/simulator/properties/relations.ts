import { invalid } from "../refused.ts";
import { plainText } from "../render.ts";
import type { DataSource, Fields } from "../state.ts";
import { readObject, readText, readUuid, typeOf } from "./read-input.ts";
import { findProperty, newPropertyId, type Property } from "./schema.ts";
import { reach, type Writer } from "./writer.ts";

type Draft = { source: DataSource; id: string; name: string; before: Property | null; after: (() => void)[] };

/**
 * Reads the configuration of a relation. A dual one makes its partner in the other data source. Source: contract,
 * `DatabasePropertyRelationConfigResponse`. That the same request again makes no second partner is unproven.
 */
export function readRelation(writer: Writer, input: unknown, place: string, draft: Draft): Fields {
  const config = readObject(input, place, ["type", "data_source_id", "single_property", "dual_property"]);
  const type = typeOf(config, place, ["single_property", "dual_property"]);
  const targetId = readUuid(config.data_source_id, `${place}.data_source_id`);
  const { thing } = reach(writer, targetId, ["data-source"], "data source");
  const target = thing.id === draft.source.id ? draft.source : thing;
  const own: Fields = { data_source_id: target.id, database_id: target.databaseId, type };
  if (type === "single_property") {
    readObject(config.single_property, `${place}.single_property`, []);
    return { ...own, single_property: {} };
  }
  const dual = readObject(config.dual_property, `${place}.dual_property`, [
    ...["synced_property_id", "synced_property_name"],
  ]);
  return { ...own, dual_property: readPartner(writer, dual, place, { ...draft, target }) };
}

function readPartner(
  { world }: Writer,
  dual: Record<string, unknown>,
  place: string,
  { source, target, id, name, before, after }: Draft & { target: DataSource },
): Fields {
  const present = before?.relation as Fields | undefined;
  const pair = present?.dual_property as Fields | undefined;
  if (pair && present?.data_source_id === target.id) {
    const isOther =
      (dual.synced_property_id !== undefined && dual.synced_property_id !== pair.synced_property_id) ||
      (dual.synced_property_name !== undefined && dual.synced_property_name !== pair.synced_property_name);
    // A pair that exists cannot be renamed from the other side here: unproven.
    if (isOther) throw invalid(`${place}.dual_property names another property than the pair's.`);
    return pair;
  }
  if (dual.synced_property_id !== undefined)
    throw invalid(
      `${place}.dual_property.synced_property_id names a property that is not paired with this one.`,
    );
  const partnerName =
    dual.synced_property_name === undefined
      ? `Related to ${plainText(source.title)} (${name})`
      : readText(dual.synced_property_name, `${place}.dual_property.synced_property_name`, 2_000);
  if (findProperty(target, partnerName) !== null)
    throw invalid(`${place}: a property named ${JSON.stringify(partnerName)} exists already.`);
  const partnerId = newPropertyId(world.state, "relation");
  const partner: Property = {
    ...{ id: partnerId, name: partnerName, description: null, type: "relation" },
    relation: {
      ...{ data_source_id: source.id, database_id: source.databaseId, type: "dual_property" },
      dual_property: { synced_property_id: id, synced_property_name: name },
    },
  };
  if (target === source) source.properties[partnerId] = partner;
  else after.push(() => Object.assign(target.properties, { [partnerId]: partner }));
  return { synced_property_id: partnerId, synced_property_name: partnerName };
}
