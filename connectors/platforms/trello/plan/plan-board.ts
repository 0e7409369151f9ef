import type { NewTarget, Session } from "#connectors/contract/platform-connector.ts";
import type { RestorePlan } from "#connectors/contract/restore-plan.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { openPlanSheet, type PlanSheet } from "#connectors/toolkit/records/plan-sheet.ts";
import { readSome, sumBytes } from "#connectors/toolkit/records/sample-folder.ts";
import { SECOND_MS } from "#core/kernel/clock.ts";
import { entryKinds } from "../entry-kinds.ts";
import {
  boardSchema,
  customFieldSchema,
  listSchema,
  memberSchema,
  type TrelloBoard,
  type TrelloCard,
} from "../payloads.ts";
import { recordPaths } from "../record-paths.ts";
import { addLeft, leftLines, leftOf } from "../restore/restore-kept.ts";
import { finalState } from "../restore/restore-last.ts";
import { lastOfList } from "../restore/restore-lists.ts";
import { laterPreferences } from "../restore/restore-settings.ts";
import { reportDifferences } from "../restore/restore-target.ts";
import { sampleCards } from "./sample-cards.ts";

/** Trello's limit for one token. Its responses do not show what remains. */
export const LIMITS = [{ of: "calls", resource: null, most: 100, periodMs: 10 * SECOND_MS }] as const;
/** Most records of one kind that a plan reads. */
const MOST_SMALL = 500;

/** Plans a `restoreBoard`: the same stages in the same order, counted instead of created. */
export async function planBoard(
  account: Pick<Session, "accountName">,
  snapshot: SnapshotView,
  target: NewTarget,
): Promise<RestorePlan> {
  const sheet = openPlanSheet(entryKinds, LIMITS);
  const source = boardSchema.parse(await snapshot.readRecord(recordPaths.board));
  const counts = snapshot.counts();
  const memberId = await findMember(snapshot, account.accountName);
  sheet.creates("board", 1);
  for (const line of reportDifferences(source, target)) sheet.tell(line);
  // The new board is read once; its preferences and description are set last.
  sheet.spend({ reads: 1, writes: 2 + laterPreferences(source).length, creations: 1 });
  await planFrame(sheet, snapshot);
  const { cards, isWhole } = await sampleCards(snapshot, counts.card ?? 0);
  if (!isWhole) sheet.estimate();
  const share = cards.length === 0 ? 1 : (counts.card ?? 0) / cards.length;
  planCards(sheet, { cards, share, source, memberId });
  const files = counts.attachment ?? 0;
  const bytes = await sumBytes(snapshot, { prefix: recordPaths.cards, kind: "attachment", count: files });
  sheet.creates("attachment", files);
  // Each file is downloaded again to compare it.
  sheet.spend({ reads: files, writes: files, creations: files, bytes });
  const comments = counts.comment ?? 0;
  sheet.creates("comment", comments);
  sheet.spend({ writes: comments, creations: comments });
  const counted = { assigned: 0, votes: 0, plugins: 0 };
  for (const card of cards) addLeft(counted, card, memberId);
  const left = await leftOf(snapshot, { memberId, counted: scaled(counted, share) });
  for (const line of leftLines(left)) sheet.tell(line);
  return sheet.done();
}

/** The member id of the connected account; empty when it was not a member of the board. */
export async function findMember(snapshot: SnapshotView, accountName: string): Promise<string> {
  for await (const { path } of snapshot.list(recordPaths.members)) {
    const { id, username } = memberSchema.parse(await snapshot.readRecord(path));
    if (username === accountName) return id;
  }
  return "";
}

async function planFrame(sheet: PlanSheet, snapshot: SnapshotView): Promise<void> {
  const counts = snapshot.counts();
  for (const kind of ["label", "list", "custom-field"] as const) {
    const count = counts[kind] ?? 0;
    sheet.creates(kind, count);
    sheet.spend({ writes: count, creations: count });
  }
  const lists = await readSome(await pathsOf(snapshot, recordPaths.lists), async (path) =>
    listSchema.parse(await snapshot.readRecord(path)),
  );
  sheet.spend({ writes: lists.filter((list) => lastOfList(list) !== null).length });
  const fields = await readSome(await pathsOf(snapshot, recordPaths.customFields), async (path) =>
    customFieldSchema.parse(await snapshot.readRecord(path)),
  );
  // New options are read to match them with the old ones.
  if (fields.some(({ options }) => options.length > 0)) sheet.spend({ reads: 1 });
}

async function pathsOf(snapshot: SnapshotView, prefix: string): Promise<string[]> {
  const paths: string[] = [];
  for await (const { path } of snapshot.list(prefix)) if (paths.push(path) === MOST_SMALL) break;
  return paths;
}

type CardsPlan = { cards: readonly TrelloCard[]; share: number; source: TrelloBoard; memberId: string };

/** Plans the cards. Each represents `share` cards. The caller plans files and comments. */
export function planCards(sheet: PlanSheet, { cards, share, source, memberId }: CardsPlan): void {
  const sum = (countOf: (card: TrelloCard) => number) =>
    Math.round(cards.reduce((total, card) => total + countOf(card), 0) * share);
  const canVote = source.prefs.voting !== "disabled";
  const made: Record<string, number> = {
    card: Math.round(cards.length * share),
    checklist: sum(({ checklists }) => checklists.length),
    link: sum(({ attachments }) => attachments.filter(({ isUpload }) => !isUpload).length),
    sticker: sum(({ stickers }) => stickers.length),
    vote: canVote ? sum(({ idMembersVoted }) => Number(idMembersVoted.includes(memberId))) : 0,
  };
  for (const [kind, count] of Object.entries(made)) {
    sheet.creates(kind, count);
    sheet.spend({ writes: count, creations: count });
  }
  const items = sum(({ checklists }) =>
    checklists.reduce((total, { checkItems }) => total + checkItems.length, 0),
  );
  sheet.spend({ writes: items, creations: items });
  const state = { id: "", url: null, shortLink: "", done: 0, made: {}, counts: {}, lines: [] };
  const changes = sum((card) => Number(card.customFieldItems.length > 0) + finalState(card, state).length);
  sheet.spend({ writes: changes });
}

function scaled<T extends Record<string, number>>(counted: T, share: number): T {
  return Object.fromEntries(
    Object.entries(counted).map(([key, count]) => [key, Math.round(count * share)]),
  ) as T;
}
