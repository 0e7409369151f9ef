import type { z } from "zod";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { recordPaths } from "../record-paths.ts";
import {
  type BoardRecord,
  boardRecordSchema,
  type FieldRecord,
  fieldRecordSchema,
  type IssueTypeRecord,
  issueTypeRecordSchema,
  type ProjectRecord,
  projectRecordSchema,
  type SprintRecord,
  sprintRecordSchema,
  statusRecordSchema,
} from "../record-types.ts";
import { type Column, type ColumnStatus, columnsOf } from "./columns.ts";

/** Configuration records of a version that are read at most; a project has far fewer. */
const MOST_RECORDS = 2_000;

/** What a restore needs to know of a version besides its issues. */
export type VersionFrame = {
  project: ProjectRecord;
  types: IssueTypeRecord[];
  statuses: ColumnStatus[];
  fields: FieldRecord[];
  boards: BoardRecord[];
  sprints: SprintRecord[];
  /** The columns that people see: of the first board, or one for each status. */
  columns: Column[];
};

/** Reads the project of a version. */
export async function projectOf(snapshot: SnapshotView): Promise<ProjectRecord> {
  return projectRecordSchema.parse(await snapshot.readRecord(recordPaths.project));
}

/** Reads the configuration of a version. */
export async function readFrame(snapshot: SnapshotView): Promise<VersionFrame> {
  const [project, types, records, fields, boards, sprints] = await Promise.all([
    projectOf(snapshot),
    readAll(snapshot, recordPaths.issueTypes, issueTypeRecordSchema),
    readAll(snapshot, recordPaths.statuses, statusRecordSchema),
    readAll(snapshot, recordPaths.fields, fieldRecordSchema),
    readAll(snapshot, recordPaths.boards, boardRecordSchema),
    newestSprints(snapshot),
  ]);
  const statuses = records.map(({ id, name, statusCategory }) => ({
    ...{ id, name },
    category: statusCategory?.key ?? null,
  }));
  const columns = columnsOf(boards[0] ?? null, statuses);
  return { project, types, statuses, fields, boards, sprints, columns };
}

/** The newest sprints: open ones are among them, and a form needs no others. */
async function newestSprints(snapshot: SnapshotView): Promise<SprintRecord[]> {
  const sprints: SprintRecord[] = [];
  for await (const { path } of snapshot.listBack(recordPaths.sprints)) {
    sprints.push(sprintRecordSchema.parse(await snapshot.readRecord(path)));
    if (sprints.length === MOST_RECORDS) break;
  }
  return sprints.reverse();
}

/** The records below a prefix, in path order. */
export async function readAll<S extends z.ZodType>(
  snapshot: SnapshotView,
  prefix: string,
  schema: S,
  most: number = MOST_RECORDS,
): Promise<z.output<S>[]> {
  const all: z.output<S>[] = [];
  for await (const { path, type } of snapshot.list(prefix)) {
    if (type !== "record") continue;
    all.push(schema.parse(await snapshot.readRecord(path)));
    if (all.length === most) break;
  }
  return all;
}
