import { z } from "zod";
import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import { isWholeDay } from "#connectors/toolkit/records/backup-state.ts";
import {
  type BackupStage,
  isOutOfReach,
  mayGoWithout,
  type StagesRun,
} from "#connectors/toolkit/records/run-stages.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { readCursor } from "#core/kernel/stored-json.ts";
import { type JiraClient, paths } from "../client.ts";
import { readProject } from "../inventory.ts";
import { anythingSchema, boardSchema, columnsSchema, namedSchema } from "../payloads.ts";
import { recordPaths } from "../record-paths.ts";
import { keepRenewed } from "./back-up-people.ts";
import { plainForm, sortedById } from "./issue-form.ts";
import { notKeptRecord } from "./not-kept.ts";
import { NOTES, openProject } from "./project-run.ts";
import { list, readFields, type SettingIo, type SettingPart, settingParts } from "./read-settings.ts";

const PREFIXES = [
  recordPaths.settings,
  recordPaths.fields,
  recordPaths.filters,
  recordPaths.boards,
  recordPaths.sprints,
];

/** The kinds that a part counts, by the part's own kind. */
const KINDS_OF_PARTS = { field: ["field"], board: ["board", "sprint", "filter"] };

const refusalSchema = z.object({ path: z.string(), kind: z.string(), reason: z.string() });
type Refusal = z.output<typeof refusalSchema>;
const notKeptSchema = z.object({
  seenAs: z.object({ accountId: z.string() }).nullable().catch(null),
  refused: z.array(refusalSchema).catch([]),
});
const cursorSchema = z.strictObject({ part: z.int() });

type Part = {
  path: string;
  kind: string;
  /** What stays as it was when Jira refuses the part. */
  prefixes: readonly string[];
  read: (io: SettingIo) => AsyncIterable<BackupEvent>;
};

/**
 * The configuration, boards and sprints. Jira has no time of change for them: they are read when anything in the project
 * changed or another account reads it, else once a week. A part that Jira refuses to show is listed as skipped, and the previous
 * one is kept.
 */
export const configurationStage: BackupStage = {
  id: "configuration",
  async *run(run, cursor) {
    const begin = readCursor(cursorSchema, cursor)?.part ?? 0;
    if (begin === 0 && (await isAtRest(run))) {
      yield* keepConfiguration(run);
      return;
    }
    const { client, projectId } = openProject(run);
    const project = await readProject(run.session, projectId);
    const io: SettingIo = { run, client, projectId, typeIds: project.issueTypes.map(({ id }) => id) };
    const parts = partsOf(project);
    for (const [index, part] of parts.entries()) {
      if (index < begin) continue;
      const progress = {
        phase: "Reading the configuration",
        done: index,
        total: parts.length,
        unit: "items",
      } as const;
      yield { type: "progress", progress };
      yield* orRefused(run, part, io);
      yield { type: "checkpoint", cursor: { part: index + 1 } };
    }
    yield notKeptRecord(run, { typeKey: project.projectTypeKey, refused: refusals(run) });
  },
};

async function isAtRest(run: StagesRun): Promise<boolean> {
  if (run.known === null || run.notes[NOTES.isBusy] === true) return false;
  const notKept = await findNotKept(run);
  // Another account may see what this one was refused.
  if (notKept?.seenAs?.accountId !== openProject(run).connection.accountId) return false;
  return !isWholeDay(run.order.item.externalId, run.session.clock.now());
}

/** What the previous version lacks; null when it does not say. */
async function findNotKept({ order: { previous } }: StagesRun) {
  const path = recordPaths.setting("not-kept");
  if (previous === null || (await previous.find(path)) === null) return null;
  return notKeptSchema.safeParse(await previous.readRecord(path)).data ?? null;
}

async function* keepConfiguration(run: StagesRun): AsyncGenerator<BackupEvent, void> {
  for (const prefix of PREFIXES) yield* keepRenewed(run, prefix);
  const refused = (await findNotKept(run))?.refused ?? [];
  for (const one of refused) yield { type: "skipped", ...one };
  const counts = run.order.previous?.counts() ?? {};
  for (const [part, kinds] of Object.entries(KINDS_OF_PARTS)) {
    if (refused.some(({ kind }) => kind === part)) continue;
    for (const kind of kinds) yield { type: "reported", kind, count: counts[kind] ?? 0 };
  }
}

async function* orRefused(run: StagesRun, part: Part, io: SettingIo): AsyncGenerator<BackupEvent, void> {
  try {
    yield* part.read(io);
  } catch (error) {
    if (!mayGoWithout(run, error)) throw error;
    // Jira answers 404 about a part that the project does not have.
    if (error.kind === "gone") return;
    if (run.order.previous !== null) for (const prefix of part.prefixes) yield* keepRenewed(run, prefix);
    const { path, kind } = part;
    const refusal: Refusal = { path, kind, reason: error.message };
    run.notes[NOTES.refused] = [...refusals(run), refusal];
    yield { type: "skipped", ...refusal };
  }
}

const refusals = (run: StagesRun): Refusal[] =>
  readCursor(z.array(refusalSchema), run.notes[NOTES.refused]) ?? [];

function partsOf({ projectTypeKey, style }: { projectTypeKey: string; style: string | null }): Part[] {
  const isMeant = ({ isClassicOnly, isServiceDeskOnly }: SettingPart) =>
    !(isClassicOnly && style === "next-gen") && !(isServiceDeskOnly && projectTypeKey !== "service_desk");
  return [
    { path: recordPaths.fields, kind: "field", prefixes: [recordPaths.fields], read: fieldRecords },
    {
      ...{ path: recordPaths.boards, kind: "board" },
      prefixes: [recordPaths.filters, recordPaths.boards, recordPaths.sprints],
      read: boardRecords,
    },
    ...settingParts.filter(isMeant).map((part) => ({
      ...{ path: recordPaths.setting(part.name), kind: "setting" },
      prefixes: [recordPaths.setting(part.name)],
      read: (io: SettingIo) => settingRecord(part, io),
    })),
  ];
}

async function* settingRecord(
  { name, title, read }: SettingPart,
  io: SettingIo,
): AsyncGenerator<BackupEvent, void> {
  const value = plainForm(await read(io));
  yield { type: "record", path: recordPaths.setting(name), kind: "setting", title, value };
}

async function* fieldRecords({ client, projectId }: SettingIo): AsyncGenerator<BackupEvent, void> {
  const all = (await readFields(client)).filter((field) => isOfProject(field, projectId));
  yield { type: "reported", kind: "field", count: all.length };
  for (const field of sortedById(all)) {
    const { id, name } = namedSchema.parse(field);
    yield {
      type: "record",
      path: recordPaths.field(id),
      kind: "field",
      title: name || id,
      value: plainForm(field),
    };
  }
}

/** A field of another team-managed project does not belong here. */
function isOfProject(field: Json, projectId: string): boolean {
  const scope = (field as { scope?: { project?: { id?: unknown } } }).scope;
  return scope?.project?.id === undefined || String(scope.project.id) === projectId;
}

/** The boards of the project with their sprints and filters, and the filters that are shared with the project. */
async function* boardRecords({ client, projectId }: SettingIo): AsyncGenerator<BackupEvent, void> {
  const expand = "description,owner,jql,sharePermissions,editPermissions";
  const filters = new Map<string, Json>();
  for (const filter of await list(client, paths.filters, "the filters", { projectId, expand })) {
    filters.set(namedSchema.parse(filter).id, filter);
  }
  const sprints = new Map<string, Json>();
  const boards = (await list(client, paths.boards, "the boards", { projectKeyOrId: projectId })).map((one) =>
    boardSchema.parse(one),
  );
  yield { type: "reported", kind: "board", count: boards.length };
  for (const board of boards.toSorted((one, other) => Number(one.id) - Number(other.id))) {
    const columns = await readColumns(client, board.id);
    const value = plainForm({ ...without(board, "location"), ...columns.record });
    yield { type: "record", path: recordPaths.board(board.id), kind: "board", title: board.name, value };
    if (columns.filterId !== null && !filters.has(columns.filterId)) {
      const filter = await readFilter(client, columns.filterId);
      if (filter !== null) filters.set(columns.filterId, filter);
    }
    // Boards of the kind Kanban have no sprints: Jira refuses to list them.
    const own = board.type === "kanban" ? [] : await list(client, paths.sprints(board.id), "the sprints");
    for (const sprint of own) sprints.set(namedSchema.parse(sprint).id, sprint);
  }
  yield* named([...sprints.values()], "sprint", recordPaths.sprint);
  yield* named([...filters.values()], "filter", recordPaths.filter);
}

/** A list of things with ids and names; ids are stored as text. */
function* named(
  all: readonly Json[],
  kind: string,
  pathOf: (id: string) => string,
): Generator<BackupEvent, void> {
  yield { type: "reported", kind, count: all.length };
  for (const one of sortedById(all)) {
    const { id, name } = namedSchema.parse(one);
    const value = plainForm({ ...(one as object), id });
    yield { type: "record", path: pathOf(id), kind, title: name || id, value };
  }
}

async function readColumns(client: JiraClient, boardId: string) {
  const call = {
    method: "GET",
    path: paths.boardColumns(boardId),
    about: "a board",
    endpoint: "agile",
  } as const;
  const { filter, columnConfig, estimation, ranking } = await client.request(call, columnsSchema);
  return {
    filterId: filter?.id ?? null,
    record: {
      columns: columnConfig?.columns ?? [],
      ...(filter ? { filterId: filter.id } : {}),
      ...(estimation === undefined ? {} : { estimation }),
      ...(ranking ? { rankFieldId: `customfield_${ranking.rankCustomFieldId}` } : {}),
    },
  };
}

/** A board's filter may be another person's private one, which Jira does not show. */
async function readFilter(client: JiraClient, filterId: string): Promise<Json | null> {
  const call = {
    method: "GET",
    path: paths.filter(filterId),
    about: "a filter",
    endpoint: "configuration",
  } as const;
  try {
    return await client.request(call, anythingSchema);
  } catch (error) {
    if (isOutOfReach(error)) return null;
    throw error;
  }
}

function without(value: object, name: string): object {
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
}
