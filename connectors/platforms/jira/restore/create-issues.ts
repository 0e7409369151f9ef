import { z } from "zod";
import type { RestoreEvent } from "#connectors/contract/platform-connector.ts";
import { readNote } from "#connectors/toolkit/records/read-note.ts";
import { openStage } from "#connectors/toolkit/records/restore-stage.ts";
import { recordPaths } from "../record-paths.ts";
import { markSchema, type Names, type Prepared, prepareIssue } from "./issue-fields.ts";
import { type Creation, ISSUES_PER_CREATE, ISSUES_PER_FETCH, type NewIssue } from "./jira-calls.ts";
import type { RestoreIo } from "./restore-io.ts";
import { sentence } from "./restore-names.ts";
import {
  type IssueLine,
  type IssueNote,
  issuesOf,
  levelOf,
  lineSchema,
  type MadeIssue,
  noteKey,
  noteOf,
  readIssue,
  type VersionIssue,
} from "./restored-issues.ts";

/** Issues that are read before a batch is sent, however few it has: a slice must be able to end. */
const MOST_READ = 500;

type Ready = { issue: VersionIssue; prepared: Extract<Prepared, { type: "ready" }> };

/**
 * Creates the issues of a version, parents before their children and each level by age, up to 50 at once. Every issue
 * carries a mark; before a batch is sent, the journal notes that it is under way, so that after an unknown outcome the
 * next attempt looks for the marks first. It looks by key, because search learns of new issues late.
 */
export async function* createIssues(io: RestoreIo, names: Names): AsyncGenerator<RestoreEvent, void> {
  await findLost(io, names);
  for (const level of levelsOf(io)) {
    const stage = await openStage<string>(io.journal, `issues of level ${level}`);
    if (stage.isDone) continue;
    let batch: Ready[] = [];
    let last: string | null = null;
    const flush = async () => {
      if (batch.length > 0) await createBatch(io, batch);
      batch = [];
      if (last !== null) await stage.step(last);
    };
    let done = 0;
    let since = 0;
    for await (const issue of issuesOf(io.snapshot, io.part, stage.at)) {
      if (levelOf(issue.issue) === level && (await noteOf(io.journal, issue.issue.key)) === null) {
        const prepared = await prepareIssue(io, issue.issue, names);
        if (prepared.type === "refused") await recordNote(io, issue.issue.key, { refused: prepared.reason });
        else batch.push({ issue, prepared });
      }
      last = issue.path;
      done += 1;
      since += 1;
      if (batch.length < ISSUES_PER_CREATE && since < MOST_READ) continue;
      since = 0;
      await flush();
      yield { type: "progress", progress: { phase: "Creating issues", done, total: null, unit: "items" } };
      yield { type: "checkpoint" };
    }
    await flush();
    await stage.finish();
    yield { type: "checkpoint" };
  }
}

/** The levels of a version's issues from the top down. Jira's own are 1, 0 and -1; Premium sites have more above. */
function levelsOf({ frame }: RestoreIo): number[] {
  const levels = frame.types.map(({ subtask, hierarchyLevel }) => (subtask ? -1 : hierarchyLevel));
  return [...new Set([...levels, 1, 0, -1])].sort((one, other) => other - one);
}

const batchSchema = z.object({
  /** Behind this number there may be issues of ours that the journal does not know; null = no batch is under way. */
  from: z.number().nullable(),
  /** The highest number that this restore knows. */
  newest: z.number(),
});
const BATCH = "batch";

async function createBatch(io: RestoreIo, batch: readonly Ready[]): Promise<void> {
  const known = await readNote(io.journal, BATCH, batchSchema);
  const from = known?.newest ?? (await io.calls.newestNumber(io.target.project));
  await io.journal.record(BATCH, { from, newest: from });
  // After an unknown outcome the next attempt finds what was made.
  const made = await io.calls.createIssues(batch.map(({ prepared }) => prepared.issue));
  let newest = from;
  for (const [index, ready] of batch.entries()) {
    const creation = made[index];
    if (creation === undefined) continue;
    const value =
      creation.type === "made" ? madeNote(ready, creation, []) : await createAlone(io, ready, creation);
    await recordNote(io, ready.issue.issue.key, value);
    if ("key" in value) newest = Math.max(newest, numberOf(value.key));
  }
  await io.journal.record(BATCH, { from: null, newest });
}

const numberOf = (key: string) => Number(key.split("-").at(-1));

/**
 * Journals issues of a batch whose answer was lost, or was not journaled to its end. Keys are read one by one behind the
 * newest known one, up to a window in which there are no issues at all.
 */
async function findLost(io: RestoreIo, names: Names): Promise<void> {
  const batch = await readNote(io.journal, BATCH, batchSchema);
  if (batch === null || batch.from === null) return;
  let { newest } = batch;
  for (let first = batch.from + 1; ; first += ISSUES_PER_FETCH) {
    const keys = Array.from(
      { length: ISSUES_PER_FETCH },
      (_, index) => `${io.target.project.key}-${first + index}`,
    );
    const found = await io.calls.issues(keys);
    for (const { id, key, mark } of found) {
      // An issue that was moved away is found by its old key, under its new one.
      if (!key.startsWith(`${io.target.project.key}-`)) continue;
      newest = Math.max(newest, numberOf(key));
      const ours = markSchema.safeParse(mark);
      if (ours.success && ours.data.restore === io.mark) await adopt(io, names, { id, key, mark: ours.data });
    }
    if (found.length === 0) break;
  }
  await io.journal.record(BATCH, { from: null, newest });
}

/** Journals an issue that an earlier attempt made, as if it had been journaled then. */
async function adopt(
  io: RestoreIo,
  names: Names,
  { id, key, mark }: { id: string; key: string; mark: z.output<typeof markSchema> },
): Promise<void> {
  if ((await noteOf(io.journal, mark.key)) !== null) return;
  const path = recordPaths.issue(mark.id);
  const issue = { path, issue: await readIssue(io.snapshot, path) };
  const prepared = await prepareIssue(io, issue.issue, names);
  const dropped = (await readNote(io.journal, aloneKey(mark.key), z.array(lineSchema))) ?? [];
  if (prepared.type === "ready")
    await recordNote(io, mark.key, madeNote({ issue, prepared }, { id, key }, dropped));
}

const EMPTY = { done: 0, counts: {}, files: {} } satisfies Partial<MadeIssue>;

function madeNote(
  { prepared }: Ready,
  { id, key }: { id: string; key: string },
  lines: IssueLine[],
): MadeIssue {
  const lost = prepared.losses.map((loss): IssueLine => ({ type: "changed", ...loss }));
  return { ...EMPTY, id, key, typeId: prepared.issueType.id, lines: [...lost, ...lines] };
}

/** Where the journal keeps what an issue was created without, before it is. */
const aloneKey = (oldKey: string) => `alone:${oldKey}`;

/** Fields without which an issue cannot be; a sub-task needs its parent, too. */
const NEEDED = ["project", "issuetype", "summary"];
/** Times that an issue is tried alone: Jira names some wrong fields only when others are right. */
const MOST_ATTEMPTS = 4;

/** Creates an issue that a batch refused: without the fields that Jira names, and at last with what it needs only. */
async function createAlone(
  io: RestoreIo,
  ready: Ready,
  first: Extract<Creation, { type: "refused" }>,
): Promise<IssueNote> {
  const { issue, issueType } = ready.prepared;
  const needed = issueType.hierarchyLevel === -1 ? [...NEEDED, "parent"] : NEEDED;
  const optional = Object.keys(issue.fields).filter((field) => !needed.includes(field));
  const dropped = new Map<string, string>();
  const drop = (fields: readonly string[], reason: string) => {
    for (const field of fields)
      if (optional.includes(field) && !dropped.has(field)) dropped.set(field, reason);
  };
  drop(first.fields, first.reason);
  let refusal = first;
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
    const lines = [...dropped].map(([field, reason]) => notApplied(io, ready, field, reason));
    await io.journal.record(aloneKey(ready.issue.issue.key), lines);
    const creation = await io.calls.createIssue(without(issue, [...dropped.keys()]));
    if (creation.type === "made") return madeNote(ready, creation, lines);
    refusal = creation;
    const known = dropped.size;
    drop(creation.fields, creation.reason);
    if (known === optional.length) break;
    if (dropped.size === known || attempt === MOST_ATTEMPTS - 1) drop(optional, creation.reason);
  }
  return { refused: sentence(refusal.reason) };
}

function without({ fields, properties }: NewIssue, dropped: readonly string[]): NewIssue {
  const kept = Object.entries(fields).filter(([field]) => !dropped.includes(field));
  return { fields: Object.fromEntries(kept), properties };
}

function notApplied(io: RestoreIo, { issue }: Ready, field: string, reason: string): IssueLine {
  const name = io.frame.fields.find(({ id }) => id === field)?.name ?? field;
  return { type: "changed", what: `Field ${name} of ${issue.issue.key}`, reason: sentence(reason) };
}

async function recordNote(io: RestoreIo, oldKey: string, value: IssueNote): Promise<void> {
  await io.journal.record(noteKey(oldKey), structuredClone(value));
}
