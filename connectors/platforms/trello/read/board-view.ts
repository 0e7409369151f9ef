import type { z } from "zod";
import type {
  BoardCard,
  BoardCardDetail,
  BoardView,
  BoardWords,
  SearchedCard,
} from "#connectors/contract/board-view.ts";
import type { EntryRole } from "#connectors/contract/entry-role.ts";
import type { Field } from "#connectors/contract/field.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { listField, timeOf, wordField } from "#connectors/toolkit/views/values.ts";
import {
  actionSchema,
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
import { cardFolders } from "./card-folders.ts";
import { indexHistory } from "./history-index.ts";

const WORDS: BoardWords = {
  card: { one: "card", many: "cards" },
  column: { one: "list", many: "lists" },
  people: "members",
  away: "archived",
};

/** Labels, people and fields that cards refer to by id. */
type Names = {
  labels: ReadonlyMap<string, z.output<typeof labelSchema>>;
  people: ReadonlyMap<string, string>;
  fields: readonly TrelloCustomField[];
};

/** A version as a board. Reads shared records, and the list of the history, only once and keeps no cards. */
export function boardView(snapshot: SnapshotView): BoardView {
  const names = once(() => readNames(snapshot));
  const columns = once(() => readColumns(snapshot));
  const history = once(() => indexHistory(snapshot));
  return {
    words: WORDS,
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
    async *cards(wanted) {
      yield* readCards(snapshot, await names(), wanted?.comments === true);
    },
    async card(id) {
      // The id comes from a URL: continue only if the version has a card with it.
      const path = recordPaths.card(id);
      if ((await snapshot.find(path)) === null) return null;
      const card = cardSchema.parse(await snapshot.readRecord(path));
      return await readDetail(snapshot, card, await names());
    },
    comments: (cardId, range) => readCardComments(snapshot, cardId, range),
    comment: (path) => readComment(snapshot, path),
    history: async (cardId, range) => readCardHistory(snapshot, await history(), { cardId, range }),
    roleOf,
  };
}

function once<T>(read: () => Promise<T>): () => Promise<T> {
  let known: Promise<T> | null = null;
  return () => {
    known ??= read();
    return known;
  };
}

function roleOf({ path, kind }: { path: string; kind: string }): EntryRole | null {
  const [, id = "", , last = ""] = path.split("/");
  switch (kind) {
    case "list":
      return { role: "column", id: id.replace(/\.json$/, "") };
    case "card":
      return { role: "part", id };
    case "comment":
      return { role: "comment", partId: id };
    case "attachment":
      return last === "" ? null : { role: "file", partId: id };
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

/** Keeps nothing but the card that it yields. */
async function* readCards(
  snapshot: SnapshotView,
  names: Names,
  hasTexts: boolean,
): AsyncGenerator<SearchedCard, void> {
  for await (const { card, files, comments } of cardFolders(snapshot)) {
    const words = [wordsOf(card, names)];
    for (const path of hasTexts ? comments : [])
      words.push(actionSchema.parse(await snapshot.readRecord(path)).data.text ?? "");
    const facts = { names, comments: comments.length, hasFile: (path: string) => files.has(path) };
    yield { ...cardFront(card, facts), words: words.join("\n") };
  }
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
    rank: card.pos,
    key: null,
    title: card.name,
    isArchived: card.closed,
    role: kindOf(card),
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
    hasText: card.desc !== "",
    badges: badgesOf(card),
  };
}

function badgesOf({ idMembersVoted, stickers }: TrelloCard): string[] {
  const votes = idMembersVoted.length;
  return [
    ...(votes === 0 ? [] : [votes === 1 ? "1 vote" : `${votes} votes`]),
    ...(stickers.length === 0 ? [] : [`Stickers: ${stickers.map(({ image }) => image).join(", ")}`]),
  ];
}

function kindOf({ isTemplate, cardRole }: TrelloCard): string | null {
  if (isTemplate) return "Template";
  return cardRole === null ? null : cardRole.charAt(0).toUpperCase() + cardRole.slice(1);
}

function wordsOf(card: TrelloCard, names: Names): string {
  return [
    card.desc,
    ...card.checklists.flatMap(({ name, checkItems }) => [name, ...checkItems.map((item) => item.name)]),
    ...card.attachments.map(({ name }) => name),
    ...fieldsOf(card, names).map(({ value }) => value),
  ].join("\n");
}

function fieldsOf(card: TrelloCard, { fields }: Names): Field[] {
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
    url: card.shortUrl,
    text: card.desc,
    fields: [
      ...fieldsOf(card, names),
      ...wordField("Location", place),
      ...listField("Votes", voters),
      ...listField(
        "Stickers",
        card.stickers.map(({ image }) => image),
      ),
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
