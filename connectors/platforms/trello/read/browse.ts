import type { z } from "zod";
import type {
  BoardCard,
  BoardCardDetail,
  BoardPart,
  BoardView,
  SearchedCard,
} from "#connectors/contract/board-view.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import {
  boardSchema,
  cardSchema,
  customFieldSchema,
  labelSchema,
  listSchema,
  memberSchema,
  type TrelloCard,
  type TrelloCustomField,
} from "../payloads.ts";
import { recordPaths } from "../record-paths.ts";
import { valueText } from "../restore/restore-fields.ts";
import { coverOf, tagOf } from "./browse-colours.ts";
import { readCardComments, readCardHistory, readComment } from "./browse-notes.ts";

/** What cards reference by id. */
type Names = {
  labels: ReadonlyMap<string, z.output<typeof labelSchema>>;
  people: ReadonlyMap<string, string>;
  fields: readonly TrelloCustomField[];
};

/** A version shown as a board. Shared data is read once. */
export function boardView(snapshot: SnapshotView): BoardView {
  const names = once(() => readNames(snapshot));
  const columns = once(() => readColumns(snapshot));
  return {
    async facts() {
      const board = boardSchema.parse(await snapshot.readRecord(recordPaths.board));
      return {
        title: board.name,
        text: board.desc,
        url: board.shortUrl ?? board.url,
        isArchived: board.closed,
      };
    },
    columns,
    cards: async () => readCards(snapshot, await names(), await columns()),
    async card(id) {
      // The id comes from a URL, so check that the version has this entry.
      const path = recordPaths.card(id);
      if ((await snapshot.find(path)) === null) return null;
      const card = cardSchema.parse(await snapshot.readRecord(path));
      return await readDetail(snapshot, card, await names());
    },
    comments: (cardId, page) => readCardComments(snapshot, cardId, page),
    comment: (path) => readComment(snapshot, path),
    history: (cardId, page) => readCardHistory(snapshot, cardId, page),
    partOf,
  };
}

function once<T>(read: () => Promise<T>): () => Promise<T> {
  let known: Promise<T> | null = null;
  return () => {
    known ??= read();
    return known;
  };
}

function partOf({ path, kind }: { path: string; kind: string }): BoardPart | null {
  const [, id = "", , last = ""] = path.split("/");
  switch (kind) {
    case "list":
      return { type: "column", id: id.replace(/\.json$/, "") };
    case "card":
      return { type: "card", id };
    case "comment":
      return { type: "comment", cardId: id };
    case "attachment":
      return last === "" ? null : { type: "file", cardId: id };
    default:
      return null;
  }
}

async function readNames(snapshot: SnapshotView): Promise<Names> {
  const [labels, members, fields] = [
    await readAll(snapshot, recordPaths.labels, labelSchema),
    await readAll(snapshot, recordPaths.members, memberSchema),
    await readAll(snapshot, recordPaths.customFields, customFieldSchema),
  ];
  return {
    labels: new Map(labels.map((label) => [label.id, label])),
    people: new Map(members.map(({ id, fullName, username }) => [id, fullName || username || id])),
    fields: inOrder(fields),
  };
}

async function readColumns(snapshot: SnapshotView) {
  const lists = inOrder(await readAll(snapshot, recordPaths.lists, listSchema));
  return lists.map(({ id, name, closed }) => ({
    id,
    path: `${recordPaths.lists}${id}.json`,
    title: name,
    isArchived: closed,
  }));
}

async function readCards(
  snapshot: SnapshotView,
  names: Names,
  columns: readonly { id: string }[],
): Promise<SearchedCard[]> {
  const comments = await countComments(snapshot);
  const paths: string[] = [];
  const files = new Set<string>();
  for await (const { path, type } of snapshot.list(recordPaths.cards)) {
    if (type === "record") paths.push(path);
    else files.add(path);
  }
  const found: { rank: number; pos: number; card: SearchedCard }[] = [];
  const ranks = new Map(columns.map(({ id }, rank) => [id, rank]));
  for (const path of paths) {
    const card = cardSchema.parse(await snapshot.readRecord(path));
    const front = cardFront(card, {
      names,
      comments: comments.get(card.id) ?? 0,
      hasFile: (at) => files.has(at),
    });
    found.push({
      rank: ranks.get(card.idList) ?? columns.length,
      pos: card.pos,
      card: { ...front, words: wordsOf(card, names) },
    });
  }
  // Cards with equal `pos` stay in order of creation.
  return found.sort((one, other) => one.rank - other.rank || one.pos - other.pos).map(({ card }) => card);
}

async function countComments(snapshot: SnapshotView): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for await (const { path } of snapshot.list(recordPaths.comments)) {
    const [, cardId = ""] = path.split("/");
    counts.set(cardId, (counts.get(cardId) ?? 0) + 1);
  }
  return counts;
}

function cardFront(
  card: TrelloCard,
  { names, comments, hasFile }: { names: Names; comments: number; hasFile: (path: string) => boolean },
): BoardCard {
  const items = card.checklists.flatMap(({ checkItems }) => checkItems);
  const picture = card.cover?.idAttachment ? recordPaths.attachment(card.id, card.cover.idAttachment) : null;
  return {
    id: card.id,
    path: recordPaths.card(card.id),
    columnId: card.idList,
    title: card.name,
    isArchived: card.closed,
    role: roleOf(card),
    tags: card.idLabels.flatMap((id) => {
      const label = names.labels.get(id);
      return label === undefined ? [] : [tagOf(label.name, label.color)];
    }),
    cover: coverOf(card, picture !== null && hasFile(picture) ? picture : null),
    startAt: timeOf(card.start),
    dueAt: timeOf(card.due),
    isDone: card.dueComplete,
    people: card.idMembers.map((id) => names.people.get(id) ?? id),
    checks:
      items.length === 0
        ? null
        : { done: items.filter(({ state }) => state === "complete").length, total: items.length },
    commentCount: comments,
    fileCount: card.attachments.length,
    voteCount: card.idMembersVoted.length,
    hasText: card.desc !== "",
    stickers: card.stickers.map(({ image }) => image),
  };
}

function roleOf({ isTemplate, cardRole }: TrelloCard): string | null {
  if (isTemplate) return "Template";
  return cardRole === null ? null : cardRole.charAt(0).toUpperCase() + cardRole.slice(1);
}

function timeOf(date: string | null): number | null {
  const at = date === null ? Number.NaN : Date.parse(date);
  return Number.isFinite(at) ? at : null;
}

function wordsOf(card: TrelloCard, names: Names): string {
  return [
    card.desc,
    ...card.checklists.flatMap(({ name, checkItems }) => [name, ...checkItems.map((item) => item.name)]),
    ...card.attachments.map(({ name }) => name),
    ...fieldsOf(card, names).map(({ value }) => value),
  ].join("\n");
}

function fieldsOf(card: TrelloCard, { fields }: Names): { name: string; value: string }[] {
  return fields.flatMap((field) => {
    const value = valueText(card, field);
    return value === null ? [] : [{ name: field.name, value: readableValue(value, field) }];
  });
}

/** Trello stores a checkbox as `true` and a date as ISO 8601. */
function readableValue(value: string, { type }: TrelloCustomField): string {
  if (type === "checkbox") return value === "true" ? "Yes" : "No";
  const isDate = type === "date" && /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value);
  return isDate ? `${value.slice(0, 10)} ${value.slice(11, 16)} UTC` : value;
}

async function readDetail(snapshot: SnapshotView, card: TrelloCard, names: Names): Promise<BoardCardDetail> {
  let comments = 0;
  for await (const _ of snapshot.list(recordPaths.commentsOf(card.id))) comments += 1;
  const stored = new Set<string>();
  for await (const { path } of snapshot.list(recordPaths.attachment(card.id, ""))) stored.add(path);
  const place = [card.locationName, card.address].filter(Boolean).join(", ");
  const voters = card.idMembersVoted.map((id) => names.people.get(id) ?? id);
  const person = (id: string | null) => (id === null ? null : (names.people.get(id) ?? id));
  return {
    ...cardFront(card, { names, comments, hasFile: (path) => stored.has(path) }),
    rank: card.pos,
    url: card.shortUrl,
    text: card.desc,
    fields: [
      ...fieldsOf(card, names),
      ...(place === "" ? [] : [{ name: "Location", value: place }]),
      ...(voters.length === 0 ? [] : [{ name: "Votes", value: voters.join(", ") }]),
    ],
    checklists: inOrder(card.checklists).map(({ name, checkItems }) => ({
      title: name,
      items: inOrder(checkItems).map((item) => ({
        text: item.name,
        isDone: item.state === "complete",
        dueAt: timeOf(item.due),
        person: person(item.idMember),
      })),
    })),
    files: card.attachments.map(({ id, name, url, isUpload, bytes }) => {
      const path = recordPaths.attachment(card.id, id);
      return {
        name: name || url,
        path: isUpload && stored.has(path) ? path : null,
        url: isUpload ? null : url,
        sizeBytes: bytes,
      };
    }),
  };
}

async function readAll<S extends z.ZodType>(
  snapshot: SnapshotView,
  prefix: string,
  schema: S,
): Promise<z.output<S>[]> {
  const all: z.output<S>[] = [];
  for await (const { path } of snapshot.list(prefix)) all.push(schema.parse(await snapshot.readRecord(path)));
  return all;
}

function inOrder<T extends { pos?: number }>(all: readonly T[]): T[] {
  return all.toSorted((one, other) => (one.pos ?? 0) - (other.pos ?? 0));
}
