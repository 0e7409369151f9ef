import { z } from "zod";
import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { BackupStage, StagesRun } from "#connectors/toolkit/records/run-stages.ts";
import { MINUTE_MS } from "#core/kernel/clock.ts";
import { readCursor } from "#core/kernel/stored-json.ts";
import type { TrelloAction } from "../payloads.ts";
import { actionTitle, actorOf } from "../read/action-sentence.ts";
import { isComment, readActions } from "../read/read-actions.ts";
import { actionForm } from "../record-form.ts";
import { recordPaths } from "../record-paths.ts";
import type { BoardSight } from "./board-sight.ts";
import type { CardTable } from "./card-table.ts";

/** Entries may become visible shortly after their date. */
const OVERLAP_MS = 5 * MINUTE_MS;
/** Name of the mark that holds the date of the newest known entry. */
const MARK = "actions";
/** Most cards whose comments one run rereads, so that the cursor stays small. The next run continues with the rest. */
const MOST_RECHECKS = 2_000;
/** Pages between checkpoints. A slice that resumes at one no longer knows which comments it has seen. */
const PAGES_BETWEEN_POINTS = 200;

const cursorSchema = z.strictObject({ before: z.string(), newest: z.string().nullable(), done: z.number() });

/** The note in which the cards stage lists cards whose record has changed, as one text of ids. */
const CHANGED_NOTE = "changed";
const ID_LENGTH = 24;

/** The note in which the history stage lists the cards whose comments the comments stage rereads. */
export const RECHECK_NOTE = "recheck";

/** The version whose history and comments are kept; null = all of both is read. */
export function keptFrom({ known, order }: StagesRun): SnapshotView | null {
  return known?.marks[MARK] === undefined ? null : order.previous;
}

/** Notes a card with comments whose record has changed. Beyond the limit, the next full read finds the edited comments. */
export function noteChanged(run: StagesRun, cardId: string): void {
  const noted = changedCards(run);
  if (noted.length < MOST_RECHECKS * ID_LENGTH) run.notes[CHANGED_NOTE] = noted + cardId;
}

function changedCards(run: StagesRun): string {
  return readCursor(z.string(), run.notes[CHANGED_NOTE]) ?? "";
}

/**
 * The board's history, newest entry first; with a previous version only the newer entries. Comments are part of the
 * history, but are stored per card. Comments of a card are reread when their number does not match Trello's count, or
 * when the card changed without an entry, as with an edited comment.
 */
export function historyStage(sight: BoardSight): BackupStage {
  return {
    id: "history",
    async *run(run, cursor) {
      const resumed = readCursor(cursorSchema, cursor);
      const mark = run.known?.marks[MARK] ?? null;
      const kept = keptFrom(run);
      const table = yield* sight.table(run.session);
      const counts: Counts = {
        held: new Uint32Array(table.size()),
        isTouched: new Uint8Array(table.size()),
      };
      if (kept !== null && resumed === null) yield* keepHistory(kept, table, counts);
      let newest = resumed?.newest ?? mark;
      let done = resumed?.done ?? 0;
      const since =
        kept === null || mark === null ? null : new Date(Date.parse(mark) - OVERLAP_MS).toISOString();
      let pages = 0;
      for await (const page of readActions(run.session, run.order.item.externalId, {
        since,
        before: resumed?.before ?? null,
      })) {
        for (const action of page.actions) {
          if (newest === null || action.date > newest) newest = action.date;
          const index = table.indexOf(action.data.card?.id ?? "");
          yield actionRecord(action, index >= 0);
          if (index < 0) continue;
          counts.isTouched[index] = 1;
          if (isComment(action) && !(await isKept(kept, action))) counts.held[index]! += 1;
        }
        done += page.actions.length;
        pages += 1;
        const progress = { phase: "Reading the history", done, total: null, unit: "items" } as const;
        yield { type: "progress", progress } satisfies BackupEvent;
        if (pages % PAGES_BETWEEN_POINTS === 0 && page.before !== null) {
          yield { type: "checkpoint", cursor: { before: page.before, newest, done } };
        }
      }
      if (newest !== null) run.next.marks[MARK] = newest;
      yield { type: "reported", kind: "comment", count: sumOf(table) };
      const isCounted = resumed === null;
      run.notes[RECHECK_NOTE] = isCounted ? unsettled(table, counts, changedCards(run)) : [];
      delete run.notes[CHANGED_NOTE];
    },
  };
}

/** What is known of the comments of each card, by its position in the table. */
type Counts = {
  /** Comments that the version has so far. */
  held: Uint32Array;
  /** 1 = the new entries of the history have one about the card. */
  isTouched: Uint8Array;
};

/** Keeps the history and comments of the previous version, without the comments of cards that no longer exist. */
async function* keepHistory(
  previous: SnapshotView,
  table: CardTable,
  { held }: Counts,
): AsyncGenerator<BackupEvent, void> {
  yield { type: "keep-all", prefix: recordPaths.actions };
  yield { type: "keep-all", prefix: recordPaths.comments };
  for await (const { path } of previous.list(recordPaths.comments)) {
    const index = table.indexOf(path.split("/")[1] ?? "");
    if (index < 0) yield { type: "drop", path };
    else held[index]! += 1;
  }
}

/** Whether a comment is one of those that the version keeps. */
async function isKept(kept: SnapshotView | null, comment: TrelloAction): Promise<boolean> {
  return kept !== null && (await kept.find(commentPath(comment.data.card?.id ?? "", comment))) !== null;
}

function sumOf(table: CardTable): number {
  let sum = 0;
  for (let index = 0; index < table.size(); index++) sum += table.commentsAt(index);
  return sum;
}

/** Stores a comment with its card. Everything else, comments on deleted cards included, is stored as history. */
export function actionRecord(action: TrelloAction, hasCard: boolean): BackupEvent {
  const cardId = action.data.card?.id ?? "";
  const value = actionForm(action);
  if (isComment(action) && hasCard) {
    const title = commentTitle(action);
    return {
      type: "record",
      path: commentPath(cardId, action),
      kind: "comment",
      title,
      parent: recordPaths.card(cardId),
      value,
    };
  }
  return {
    type: "record",
    path: `${recordPaths.actions}${action.id}.json`,
    kind: "action",
    title: actionTitle(action),
    ...(hasCard ? { parent: recordPaths.card(cardId) } : {}),
    value,
  };
}

/** Path of a comment. */
export function commentPath(cardId: string, { id }: { id: string }): string {
  return `${recordPaths.commentsOf(cardId)}${id}.json`;
}

const TITLE_LENGTH = 80;

function commentTitle(action: TrelloAction): string {
  const line = (action.data.text ?? "").split("\n", 1)[0] ?? "";
  return `${actorOf(action)}: ${[...line].slice(0, TITLE_LENGTH).join("")}`;
}

/** Cards whose comments must be reread. */
function unsettled(table: CardTable, { held, isTouched }: Counts, changed: string): string[] {
  const isChanged = new Uint8Array(table.size());
  for (let at = 0; at < changed.length; at += ID_LENGTH) {
    const index = table.indexOf(changed.slice(at, at + ID_LENGTH));
    if (index >= 0) isChanged[index] = 1;
  }
  const ids: string[] = [];
  for (let index = 0; index < table.size() && ids.length < MOST_RECHECKS; index++) {
    const isOff = held[index] !== table.commentsAt(index);
    const isEdited = isChanged[index] === 1 && held[index]! > 0 && isTouched[index] === 0;
    if (isOff || isEdited) ids.push(table.idAt(index));
  }
  return ids;
}

/** The cards that the history stage noted. */
export function recheckedCards(run: StagesRun): string[] {
  return readCursor(z.array(z.string()), run.notes[RECHECK_NOTE]) ?? [];
}
