import { z } from "zod";
import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import { type BackupStage, isOutOfReach, mayGoWithout } from "#connectors/toolkit/records/run-stages.ts";
import { canonicalJson, type Json } from "#core/kernel/canonical-json.ts";
import { sha256Hex } from "#core/kernel/crypto.ts";
import { readCursor } from "#core/kernel/stored-json.ts";
import { paths } from "../client.ts";
import { markdownSchema, type NotionPage } from "../payloads.ts";
import { pageForm } from "../record-form.ts";
import { recordPaths } from "../record-paths.ts";
import { backUpDatabase } from "./back-up-database.ts";
import { backUpPage } from "./back-up-page.ts";
import { backUpRows } from "./back-up-rows.ts";
import { dropPage } from "./check-deleted.ts";
import { type Home, homesIn, shareOfHomes } from "./homes.ts";
import { idOfHome, oldSources, readOldPage } from "./old-page.ts";
import { backUpComments } from "./page-comments.ts";
import { readPage } from "./read-thing.ts";
import { dayOf, elapsedDays, LOOK_DAYS, shareOf } from "./shares.ts";
import { noteTurns } from "./turns.ts";
import { wholeValues } from "./whole-values.ts";
import { workOff } from "./work-off.ts";
import type { Work } from "./workspace-run.ts";

const cursorSchema = z.strictObject({
  step: z.enum(["sources", "homes", "work"]),
  /** The last data source and the last home that were looked at. */
  source: z.string(),
  home: z.string(),
  /** How many more are due. */
  left: z.number(),
  task: z.json(),
});
type Position = z.output<typeof cursorSchema>;

const lookSchema = z.object({ markdown: z.string(), parts: z.array(z.string()) });
const sourceSchema = z.looseObject({ parent: z.looseObject({ database_id: z.string().optional() }) });

/**
 * Looks at a share of the pages as a whole, because an edit may not change the time of the last edit, the search may miss
 * a page, and a deletion leaves no trace: the page itself, the hash of its Markdown, and the comments on it; and all rows
 * of a share of the data sources. The shares advance by the days since the last backup.
 */
export function lookAgainStage(open: (run: Work["run"]) => Work): BackupStage {
  return {
    id: "look",
    async *run(run, cursor) {
      const work = open(run);
      const { previous } = work;
      const today = dayOf(run.session.clock.now());
      run.notes.today ??= today;
      const days = elapsedDays(run.known?.marks.day, Number(run.notes.today));
      const { marks } = run.next;
      const at: Position = readCursor(cursorSchema, cursor) ?? {
        ...{
          step: "sources",
          source: marks.lookSource ?? "",
          home: marks.lookHome ?? "",
          left: 0,
          task: null,
        },
      };
      const point = (more: Partial<Position> = {}) => work.point({ ...at, ...more } as Json);
      if (previous !== null && days > 0) {
        const due = (total: number) => shareOf(total, { days, cycleDays: LOOK_DAYS });
        if (at.step === "sources") {
          const sources: string[] = [];
          for await (const { id } of oldSources(previous)) sources.push(id);
          if (cursor === null) at.left = due(sources.length);
          for (const id of nextOf(sources, at.source).slice(0, at.left)) {
            for await (const event of lookAtSource(work, id, at.task))
              yield event.type === "checkpoint" ? point({ task: event.cursor }) : event;
            Object.assign(at, { source: id, left: at.left - 1, task: null });
            if (work.isDue()) yield point();
          }
          Object.assign(at, { step: "homes", left: due(homesIn(previous.counts())) });
        }
        if (at.step === "homes") {
          const total = at.left;
          for await (const each of shareOfHomes(previous, { after: at.home, count: at.left })) {
            for await (const event of lookAtHome(work, each, at.task))
              yield event.type === "checkpoint" ? point({ task: event.cursor }) : event;
            Object.assign(at, { home: each.home, left: at.left - 1, task: null });
            const progress = {
              phase: "Looking at pages again",
              done: total - at.left,
              total,
              unit: "items",
            } as const;
            yield { type: "progress", progress };
            if (work.isDue()) yield point();
          }
        }
      }
      at.step = "work";
      for await (const event of workOff(work, at.task))
        yield event.type === "checkpoint" ? point({ task: event.cursor }) : event;
      // A first backup has read every page.
      const total = homesIn(previous === null ? run.next.counts : previous.counts());
      const count = previous === null ? total : shareOf(total, { days, cycleDays: LOOK_DAYS });
      if (previous === null || days > 0)
        noteTurns(marks, "look", { day: Number(run.notes.today), count, total });
      marks.lookSource = at.source;
      marks.lookHome = at.home;
      work.save();
    },
  };
}

/** The members after one of them, and then those up to it. */
function nextOf(sorted: readonly string[], after: string): string[] {
  return [...sorted.filter((id) => id > after), ...sorted.filter((id) => id <= after)];
}

/** A data source with its database, and all its rows. */
async function* lookAtSource(work: Work, sourceId: string, resumed: Json): AsyncGenerator<BackupEvent, void> {
  if (work.dropped.has(sourceId)) return;
  if (resumed === null) {
    const record = sourceSchema.parse(await work.previous!.readRecord(recordPaths.source(sourceId)));
    const databaseId = record.parent.database_id;
    if (databaseId !== undefined && !work.seen.has(databaseId)) {
      work.seen.add(databaseId);
      yield* backUpDatabase(work, databaseId);
    }
  }
  yield* backUpRows(work, { sourceId, mode: "look", changedSince: null }, resumed);
}

/** A page as a whole. One that this run has read is up to date. */
async function* lookAtHome(
  work: Work,
  { home, kind }: Home,
  resumed: Json,
): AsyncGenerator<BackupEvent, void> {
  if (resumed !== null) return yield* backUpPage(work, null, resumed);
  const id = idOfHome(home);
  if (work.seen.has(id) || work.dropped.has(id)) return;
  if (await isWithoutSource(work, home)) return yield* dropPage(work, id, home);
  try {
    const page = kind === "row" ? null : await readPage(work, id);
    const isMoved = kind === "page" && page?.parent.type === "data_source_id";
    if (page?.in_trash === true || isMoved) return work.push({ kind: "check", id });
    const markdown = await readMarkdown(work, id);
    const isSame =
      markdown !== null &&
      (await isKnownLook(work, home, markdown)) &&
      (await hasSameValues(work, page, home));
    if (isSame) {
      const old = await readOldPage(work.previous, home, recordPaths.commentsOf(home));
      return yield* backUpComments(work, { pageId: id, home, blockId: null }, old);
    }
    work.seen.add(id);
    yield* backUpPage(work, { page: page ?? (await readPage(work, id)), kind, home, markdown }, null);
  } catch (error) {
    if (!mayGoWithout(work.run, error)) throw error;
    if (isOutOfReach(error) && error.kind === "gone") return work.push({ kind: "check", id });
    yield {
      type: "skipped",
      path: home,
      kind,
      reason: `${error.message} What the previous version holds is kept.`,
    };
  }
}

/** Whether a row's data source left the version, after the row was read in the same run. */
async function isWithoutSource({ previous }: Work, home: string): Promise<boolean> {
  if (!home.startsWith(recordPaths.sources)) return false;
  const sourceId = home.slice(recordPaths.sources.length, home.indexOf("/", recordPaths.sources.length));
  return (await previous?.find(recordPaths.source(sourceId))) == null;
}

/** Whether the last look saw the same Markdown, and the version still has the blocks that belong to it. */
async function isKnownLook({ previous }: Work, home: string, markdown: string): Promise<boolean> {
  const path = recordPaths.look(home);
  if (previous === null || (await previous.find(path)) === null) return false;
  const look = lookSchema.safeParse(await previous.readRecord(path)).data;
  if (look === undefined || look.markdown !== markdown) return false;
  const parts: string[] = [];
  for await (const { hash } of previous.list(recordPaths.blocksOf(home))) parts.push(hash);
  return parts.join() === look.parts.join();
}

async function hasSameValues(work: Work, page: NotionPage | null, home: string): Promise<boolean> {
  // The values of rows are compared when the rows are listed.
  if (page === null) return true;
  const known = await work.previous?.find(recordPaths.page(home));
  const form = pageForm(await wholeValues(work.client, page), home);
  return known?.hash === (await sha256Hex(canonicalJson(form.value)));
}

/** Signatures of addresses, which change with every answer. */
const SIGNATURE = /\?X-Amz-[^\s)"'<>]{1,4000}/g;

/** The hash of a page's Markdown; null = Notion does not give all of it. */
async function readMarkdown(work: Work, pageId: string): Promise<string | null> {
  const call = { method: "GET", path: paths.pageMarkdown(pageId), about: "this page as Markdown" } as const;
  const { markdown, truncated, unknown_block_ids: unknown } = await work.client.request(call, markdownSchema);
  if (truncated || unknown.length > 0) return null;
  return await sha256Hex(markdown.replace(SIGNATURE, ""));
}
