import { z } from "zod";
import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import type { BackupStage, StagesRun } from "#connectors/toolkit/records/run-stages.ts";
import { MINUTE_MS } from "#core/kernel/clock.ts";
import { readCursor } from "#core/kernel/stored-json.ts";
import type { TrelloAction, TrelloCard } from "../payloads.ts";
import { actionTitle, actorOf } from "../read/action-sentence.ts";
import { isComment, readActions } from "../read/read-actions.ts";
import { actionForm } from "../record-form.ts";
import { recordPaths } from "../record-paths.ts";
import { type BoardSight, countedComments, isChanged, type OldBoard } from "./board-sight.ts";

/** Entries may become visible shortly after their date. */
const OVERLAP_MS = 5 * MINUTE_MS;
/** Name of the mark that holds the date of the newest known entry. */
const MARK = "actions";
/** Most cards whose comments one run rereads, so that the cursor stays small. The next run continues with the rest. */
const MOST_RECHECKS = 2_000;
/** Pages between checkpoints. A slice that resumes at one no longer knows which comments it has seen. */
const PAGES_BETWEEN_POINTS = 200;

const cursorSchema = z.strictObject({ before: z.string(), newest: z.string().nullable(), done: z.number() });

/** The note in which the history stage lists the cards whose comments the comments stage rereads. */
export const RECHECK_NOTE = "recheck";

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
      const isKept = mark !== null && run.order.previous !== null;
      const cards = new Map((await sight.cards(run.session)).map((card) => [card.id, card]));
      const old = await sight.old();
      if (isKept && resumed === null) yield* keepHistory(cards, old);
      const seen = new Map<string, Set<string>>();
      const touched = new Set<string>();
      let newest = resumed?.newest ?? mark;
      let done = resumed?.done ?? 0;
      const since = isKept ? new Date(Date.parse(mark) - OVERLAP_MS).toISOString() : null;
      let pages = 0;
      for await (const page of readActions(run.session, run.order.item.externalId, {
        since,
        before: resumed?.before ?? null,
      })) {
        for (const action of page.actions) {
          if (newest === null || action.date > newest) newest = action.date;
          const cardId = action.data.card?.id ?? "";
          touched.add(cardId);
          yield actionRecord(action, cards.has(cardId));
          if (isComment(action))
            seen.set(cardId, (seen.get(cardId) ?? new Set()).add(commentPath(cardId, action)));
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
      const isCounted = resumed === null;
      run.notes[RECHECK_NOTE] = isCounted ? await unsettled(cards, { old, seen, touched, isKept }) : [];
    },
  };
}

function* keepHistory(cards: ReadonlyMap<string, TrelloCard>, old: OldBoard): Generator<BackupEvent, void> {
  yield { type: "keep-all", prefix: recordPaths.actions };
  yield { type: "keep-all", prefix: recordPaths.comments };
  for (const [cardId, paths] of old.comments) {
    if (cards.has(cardId)) continue;
    for (const path of paths) yield { type: "drop", path };
  }
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

type Found = {
  old: OldBoard;
  seen: ReadonlyMap<string, ReadonlySet<string>>;
  touched: ReadonlySet<string>;
  isKept: boolean;
};

/** Cards whose comments must be reread. */
async function unsettled(
  cards: ReadonlyMap<string, TrelloCard>,
  { old, seen, touched, isKept }: Found,
): Promise<string[]> {
  const ids: string[] = [];
  for (const card of cards.values()) {
    const kept = isKept ? (old.comments.get(card.id) ?? new Set<string>()) : new Set<string>();
    const held = new Set([...kept, ...(seen.get(card.id) ?? [])]).size;
    const isOff = held !== countedComments(card);
    const isEdited = isKept && held > 0 && !touched.has(card.id) && (await isChanged(card, old));
    if (isOff || isEdited) ids.push(card.id);
    if (ids.length === MOST_RECHECKS) break;
  }
  return ids;
}

/** The cards that the history stage noted. */
export function recheckedCards(run: StagesRun): string[] {
  return readCursor(z.array(z.string()), run.notes[RECHECK_NOTE]) ?? [];
}
