import type { IssueTypeRecord, StatusRecord } from "../record-types.ts";
import type { Answers } from "./answers.ts";
import { type Column, type ColumnStatus, columnsOf, isAlike, targetStatus } from "./columns.ts";
import type { CreateField, CreateType, JiraCalls, SiteBoard } from "./jira-calls.ts";
import { isRefused } from "./rest-calls.ts";
import type { TargetProject } from "./target-project.ts";
import type { VersionFrame } from "./version-frame.ts";
import type { Workflow } from "./workflow-path.ts";

/** What a restore needs to know of the target. Read anew by each slice; what it asks for twice is kept. */
export type TargetFrame = {
  project: TargetProject;
  types: readonly CreateType[];
  columns: readonly Column[];
  /** The board that takes sprints; null = none does. */
  scrumBoard: SiteBoard | null;
  /** The type for an issue of the version; `isOther` = it has another name. Null = the project takes no such issues. */
  typeFor(type: IssueTypeRecord, hasParent: boolean): { type: CreateType; isOther: boolean } | null;
  fieldsOf(typeId: string): Promise<readonly CreateField[]>;
  /** The status that an issue gets; null = the first of its workflow. */
  statusFor(status: StatusRecord): ColumnStatus | null;
  workflowOf(typeId: string): Promise<Workflow | null>;
  /** The status of new issues of a type; `read` asks an issue that was just created. */
  initialStatus(typeId: string, read: () => Promise<string>): Promise<string>;
  /** The fields on the screen of a transition of a type; `read` asks an issue that can make it now. */
  screenOf(
    typeId: string,
    transitionId: string,
    read: () => Promise<readonly CreateField[]>,
  ): Promise<readonly CreateField[]>;
  /** Which of the people exist and are active. */
  people(accountIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** An issue of the original that still exists, with its level; null = there is none. */
  original(key: string): Promise<{ key: string; level: number } | null>;
};

/** Columns of a project at Jira: of its first board, or one for each status. */
export async function targetColumns(
  calls: JiraCalls,
  projectId: string,
  boards: readonly SiteBoard[],
): Promise<Column[]> {
  const statuses = await calls.statuses(projectId);
  const [board] = boards;
  if (board === undefined) return columnsOf(null, statuses);
  try {
    return columnsOf({ columns: await calls.boardColumns(board.id) }, statuses);
  } catch (error) {
    if (!isRefused(error)) throw error;
    return columnsOf(null, statuses);
  }
}

/** Reads the target. */
export async function readTarget(
  calls: JiraCalls,
  project: TargetProject,
  { frame, answers }: { frame: VersionFrame; answers: Answers },
): Promise<TargetFrame> {
  const types = await calls.createTypes(project.id);
  const boards = project.projectTypeKey === "software" ? await calls.boards(project.id) : [];
  const columns = await targetColumns(calls, project.id, boards);
  const fields = new Map<string, readonly CreateField[]>();
  const workflows = new Map<string, Workflow | null>();
  const initials = new Map<string, string>();
  const screens = new Map<string, readonly CreateField[]>();
  const people = new Map<string, boolean>();
  const originals = new Map<string, { key: string; level: number } | null>();
  const match = project.isNew ? null : (answers.columns ?? null);
  return {
    project,
    types,
    columns,
    scrumBoard: boards.find(({ type }) => type === "scrum") ?? null,
    typeFor: (type, hasParent) => typeAmong(types, type, hasParent),
    fieldsOf: (typeId) => once(fields, typeId, () => calls.createFields(project.id, typeId)),
    statusFor: ({ id, name, statusCategory }) =>
      targetStatus(
        { id, name, category: statusCategory?.key ?? null },
        { left: frame.columns, right: columns, match },
      ),
    workflowOf: (typeId) => once(workflows, typeId, () => calls.workflow(project.id, typeId)),
    initialStatus: (typeId, read) => once(initials, typeId, read),
    screenOf: (typeId, transitionId, read) => once(screens, `${typeId} ${transitionId}`, read),
    people: async (accountIds) => {
      const open = [...new Set(accountIds)].filter((one) => !people.has(one));
      const active = open.length === 0 ? new Set<string>() : await calls.activePeople(open);
      for (const one of open) people.set(one, active.has(one));
      return new Set(accountIds.filter((one) => people.get(one)));
    },
    original: (key) =>
      once(originals, key, async () => {
        const [found] = await calls.issues([key]);
        const type = [...frame.types, ...types].find(({ name }) => found && isAlike(name, found.typeName));
        // An issue that was moved away has another key now.
        return found?.key === key && type ? { key, level: type.hierarchyLevel } : null;
      }),
  };
}

async function once<T>(known: Map<string, T>, key: string, read: () => Promise<T>): Promise<T> {
  const found = known.get(key);
  if (found !== undefined) return found;
  const value = await read();
  known.set(key, value);
  return value;
}

/**
 * By name on the same level, else the first of that level. A sub-task whose parent is not there becomes a standard issue,
 * because Jira has no sub-tasks alone; so does an issue of a level that the project lacks.
 */
export function typeAmong(
  types: readonly CreateType[],
  { name, subtask, hierarchyLevel }: IssueTypeRecord,
  hasParent: boolean,
): { type: CreateType; isOther: boolean } | null {
  const level = subtask ? -1 : hierarchyLevel;
  const wanted = level === -1 && !hasParent ? 0 : level;
  const onLevel = types.filter((type) => type.hierarchyLevel === wanted);
  const named = onLevel.find((type) => isAlike(type.name, name));
  if (named !== undefined) return { type: named, isOther: false };
  const type = onLevel[0] ?? types.find(({ hierarchyLevel: at }) => at === 0);
  return type === undefined ? null : { type, isOther: true };
}
