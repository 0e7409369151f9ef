import type { RestoreEvent } from "#connectors/contract/platform-connector.ts";
import { openStage, type RestoreStage } from "#connectors/toolkit/records/restore-stage.ts";
import { propertyKey } from "../property-key.ts";
import type { StoredSource } from "../records.ts";
import { type JsonObject, objectOf } from "./json-parts.ts";
import { changeSchema, isRefusal, type NewSchema, reasonOf, schemaOfNew } from "./notion-calls.ts";
import type { RestoreIo } from "./restore-io.ts";
import { plainText } from "./rich-text.ts";
import { type ComputedStep, computedSteps, idPrefix, type RelationStep, relationSteps } from "./schemas.ts";

type Stage = RestoreStage<number>;

/** Completes the schemas of new tables: relations once for each pair, then rollups and formulas in their order. */
export async function* restoreSchemas(
  io: RestoreIo,
  sources: readonly StoredSource[],
): AsyncGenerator<RestoreEvent, void> {
  const stage = await openStage<number>(io.journal, "schemas");
  const named = new Map(sources.map((source) => [source.id, plainText(source.title) || "Untitled"]));
  const tableOf = (sourceId: string) => named.get(sourceId) ?? "Untitled";
  const steps = [
    ...relationSteps(sources).map(
      (step) => () => makeRelation(io, step, { stage, table: tableOf(step.sourceId) }),
    ),
    ...computedSteps(sources).map(
      (step) => () => makeComputed(io, step, { stage, table: tableOf(step.sourceId) }),
    ),
    ...sources.map((source) => () => givePrefix(io, source)),
  ];
  const done = stage.at ?? 0;
  for (const [index, step] of steps.entries()) {
    if (stage.isDone || index < done) continue;
    await step();
    await io.losses.save();
    const progress = {
      phase: "Completing tables",
      done: index + 1,
      total: steps.length,
      unit: "items",
    } as const;
    yield { type: "progress", progress };
    if (await stage.step(index + 1)) yield { type: "checkpoint" };
  }
  if (!stage.isDone) await stage.finish();
  yield* stage.events();
}

type Report = { stage: Stage; table: string };

async function makeRelation(io: RestoreIo, step: RelationStep, { stage, table }: Report): Promise<void> {
  const made = await io.ids.find(step.sourceId);
  if (made === null) return;
  const target = await io.ids.find(step.targetId);
  const partner = target === null ? null : step.partner;
  const relation: JsonObject = {
    data_source_id: target?.id ?? step.targetId,
    ...(partner === null
      ? { type: "single_property", single_property: {} }
      : { type: "dual_property", dual_property: { synced_property_name: partner } }),
  };
  const description: JsonObject = step.description === null ? {} : { description: step.description };
  const order = { sourceId: made.id, name: step.name, config: { ...description, relation } };
  const schema = await addProperty(io, order, (reason) =>
    stage.tell({ type: "missing", what: `Relation ${step.name} of the table ${table}`, reason }),
  );
  if (schema === null || partner === null || target === null) return;
  // Notion may name the other side itself.
  const pair = objectOf(objectOf(schema[step.name]?.relation).dual_property);
  const { synced_property_id: id, synced_property_name: name } = pair;
  if (typeof id !== "string" || name === partner) return;
  await changeSchema(io.client, target.id, { [id]: { name: partner } }, `the relation ${partner}`);
}

async function makeComputed(io: RestoreIo, step: ComputedStep, { stage, table }: Report): Promise<void> {
  const made = await io.ids.find(step.sourceId);
  if (made === null) return;
  const { name, type } = step;
  const word = type === "rollup" ? "Rollup" : "Formula";
  await addProperty(io, { sourceId: made.id, name, config: { [type]: step.config } }, (reason) =>
    stage.tell({ type: "missing", what: `${word} ${name} of the table ${table}`, reason }),
  );
}

/** Adds a property once; null = Notion refused it. */
async function addProperty(
  io: RestoreIo,
  { sourceId, name, config }: { sourceId: string; name: string; config: JsonObject },
  refused: (reason: string) => void,
): Promise<NewSchema | null> {
  try {
    return await io.maker.make<NewSchema>({
      look: async () => {
        const schema = await schemaOfNew(io.client, sourceId);
        return schema[name] === undefined ? null : schema;
      },
      create: () => changeSchema(io.client, sourceId, { [name]: config }, `the property ${name}`),
    });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    refused(reasonOf(error));
    return null;
  }
}

/** The prefix of ids is the original's as long as that exists. */
async function givePrefix(io: RestoreIo, source: StoredSource): Promise<void> {
  const prefix = idPrefix(source);
  const made = await io.ids.find(source.id);
  if (prefix === null || made === null) return;
  try {
    const config = { [prefix.name]: { unique_id: { prefix: prefix.prefix } } };
    await changeSchema(io.client, made.id, config, "the prefix of the ids");
  } catch (error) {
    if (!isRefusal(error)) throw error;
    io.losses.tell("idPrefix");
  }
}

/** New ids of the properties of a table by their names and by `propertyKey` of their ids in the version. */
export function propertyIds(source: StoredSource, schema: NewSchema): Map<string, string> {
  const ids = new Map<string, string>();
  for (const { id, name } of Object.values(source.properties)) {
    const made = schema[name];
    if (made === undefined) continue;
    ids.set(propertyKey(id), made.id);
    ids.set(name, made.id);
  }
  return ids;
}
