import type { z } from "zod";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { recordPaths } from "../record-paths.ts";
import {
  type FieldRecord,
  fieldRecordSchema,
  type SprintRecord,
  sprintRecordSchema,
} from "../record-types.ts";

/** What issues refer to by id: fields and sprints. */
export type Names = {
  fields: ReadonlyMap<string, FieldRecord>;
  sprints: ReadonlyMap<string, SprintRecord>;
  /** Fields whose id differs from site to site; null = the site has none. */
  sprintField: string | null;
  rankField: string | null;
  pointFields: readonly string[];
};

/** Keys of Jira Software's field types. */
const SPRINT_TYPE = "com.pyxis.greenhopper.jira:gh-sprint";
const RANK_TYPE = "com.pyxis.greenhopper.jira:gh-lexo-rank";
/** Team-managed projects estimate in a field of their own type, company-managed ones in a number of this name. */
const POINTS_TYPE = "com.pyxis.greenhopper.jira:jsw-story-points";
const POINTS_NAME = /^story points?( estimate)?$/i;

/** Reads the fields and sprints of a version. */
export async function readNames(snapshot: SnapshotView): Promise<Names> {
  const fields = await readAll(snapshot, recordPaths.fields, fieldRecordSchema);
  const sprints = await readAll(snapshot, recordPaths.sprints, sprintRecordSchema);
  const typed = (type: string) => fields.find(({ schema }) => schema?.custom === type)?.id ?? null;
  return {
    fields: new Map(fields.map((field) => [field.id, field])),
    sprints: new Map(sprints.map((sprint) => [sprint.id, sprint])),
    sprintField: typed(SPRINT_TYPE),
    rankField: typed(RANK_TYPE),
    pointFields: fields.filter(isPoints).map(({ id }) => id),
  };
}

function isPoints({ name, custom, schema }: FieldRecord): boolean {
  return schema?.custom === POINTS_TYPE || (custom && schema?.type === "number" && POINTS_NAME.test(name));
}

/** All records below a prefix. For folders of configuration, which are small. */
export async function readAll<S extends z.ZodType>(
  snapshot: SnapshotView,
  prefix: string,
  schema: S,
): Promise<z.output<S>[]> {
  const all: z.output<S>[] = [];
  for await (const { path } of snapshot.list(prefix)) all.push(schema.parse(await snapshot.readRecord(path)));
  return all;
}
