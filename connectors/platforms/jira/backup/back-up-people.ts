import { z } from "zod";
import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import type { EntryInfo } from "#connectors/contract/snapshot-view.ts";
import type { BackupStage, StagesRun } from "#connectors/toolkit/records/run-stages.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { readCursor } from "#core/kernel/stored-json.ts";
import type { Entry } from "../payloads.ts";
import { recordPaths } from "../record-paths.ts";
import { listTitles } from "./entry-titles.ts";
import { namedPeople, withNames } from "./people-names.ts";
import { type PeopleNews, peopleNews } from "./people-news.ts";
import { NOTES } from "./project-run.ts";

/** The kind of `recordPaths.person`: as of the state, which users do not see. */
const PERSON = "state";
/** Atlassian's id for accounts that it knows nothing of; it is not to be stored (user privacy guide). */
const NOBODY = "unknown";
/** Records between two points from which the stage can continue. */
const RECORDS_BETWEEN_POINTS = 500;

const cursorSchema = z.strictObject({ after: z.string() });

/**
 * Keeps the issues of the previous version and whose names it holds. Only if there is news of one of these people, or if
 * the version is of a release that did not note them, its records are read: without a call, names of closed accounts are
 * replaced, and outdated ones renewed.
 */
export const peopleStage: BackupStage = {
  id: "people",
  async *run(run, cursor) {
    if (run.order.previous === null) return;
    const resumed = readCursor(cursorSchema, cursor);
    if (resumed === null) {
      yield { type: "keep-all", prefix: recordPaths.people };
      yield { type: "keep-all", prefix: recordPaths.issues };
      yield { type: "keep-all", prefix: recordPaths.lacking };
      run.notes[NOTES.isKept] = true;
    }
    yield* renewed(run, recordPaths.issues, resumed?.after);
    const { closed } = await peopleNews(run);
    for (const accountId of closed) yield { type: "drop", path: recordPaths.person(accountId) };
  },
};

/** Keeps what the previous version has below a prefix, with what is new about its people. */
export async function* keepRenewed(run: StagesRun, prefix: string): AsyncGenerator<BackupEvent, void> {
  yield { type: "keep-all", prefix };
  for await (const event of renewed(run, prefix)) if (event.type !== "checkpoint") yield event;
}

/** The stage, with a note of each person whose name its records hold, and without names of closed accounts. */
export function withPeople(stage: BackupStage): BackupStage {
  return { ...stage, run: (run, cursor) => notingPeople(run, stage.run(run, cursor)) };
}

async function* notingPeople(
  run: StagesRun,
  events: AsyncIterable<BackupEvent>,
): AsyncGenerator<BackupEvent, void> {
  for await (const event of events) {
    if (event.type !== "record" || event.kind === PERSON) {
      yield event;
      continue;
    }
    const { former } = await peopleNews(run);
    const value = withNames(event.value, former);
    yield value === event.value ? event : { ...event, value };
    yield* newPeople(run, value);
  }
}

/** People who are not noted yet. */
async function* newPeople(run: StagesRun, value: Json): AsyncGenerator<BackupEvent, void> {
  const people = namedPeople(value);
  if (people.size === 0) return;
  const { former } = await peopleNews(run);
  for (const accountId of people) {
    const path = recordPaths.person(accountId);
    if (accountId === NOBODY || former.has(accountId) || run.told.has(path)) continue;
    run.told.add(path);
    if (await run.order.previous?.find(path)) continue;
    yield { type: "record", path, kind: PERSON, value: { accountId } };
  }
}

async function* renewed(run: StagesRun, prefix: string, after?: string): AsyncGenerator<BackupEvent, void> {
  const { previous } = run.order;
  const news = await peopleNews(run);
  if (previous === null || (news.names.size === 0 && !news.isUnknown)) return;
  let done = 0;
  for await (const entry of previous.list(prefix, after)) {
    if (entry.type !== "record") continue;
    const stored = await previous.readRecord(entry.path);
    if (news.isUnknown) yield* newPeople(run, withNames(stored, news.names));
    yield* renewedRecord(entry, stored, news);
    done += 1;
    if (done % RECORDS_BETWEEN_POINTS !== 0) continue;
    yield { type: "progress", progress: { phase: "Renewing names", done, total: null, unit: "items" } };
    yield { type: "checkpoint", cursor: { after: entry.path } };
  }
}

function* renewedRecord(
  { path, kind, title, parent }: EntryInfo,
  stored: Json,
  { names }: Pick<PeopleNews, "names">,
): Generator<BackupEvent, void> {
  const value = withNames(stored, names);
  if (value === stored) return;
  const next = listTitles[kind]?.(value as Entry) ?? title;
  yield {
    ...{ type: "record", path, kind, value },
    ...(next === undefined ? {} : { title: next }),
    ...(parent === undefined ? {} : { parent }),
  };
}
