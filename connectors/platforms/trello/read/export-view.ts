import type { z } from "zod";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { safeFileName } from "#connectors/toolkit/export/safe-file-name.ts";
import {
  actionSchema,
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

/** The data of the ZIP's tables, with names instead of ids. */
export type ExportedBoard = {
  lists: { id: string; name: string }[];
  cards: CardView[];
  commentCount: number;
  /** Uploaded files: their paths in the ZIP, and their entries. */
  files: { path: string; entry: string }[];
};

export type CardView = {
  listId: string;
  name: string;
  description: string;
  isArchived: boolean;
  url: string | null;
  labels: { name: string; color: string | null }[];
  members: string[];
  start: string | null;
  due: string | null;
  isDone: boolean;
  fields: { name: string; value: string }[];
  checklists: { name: string; items: { name: string; isDone: boolean; due: string | null }[] }[];
  /** `href` of a file is relative to the ZIP, that of a link is its address. */
  attachments: { name: string; href: string }[];
  comments: { author: string; at: string; text: string }[];
};

/** Reads a version in one pass over each folder. */
export async function readExportedBoard(snapshot: SnapshotView): Promise<ExportedBoard> {
  const names = {
    labels: byId(await readAll(snapshot, recordPaths.labels, labelSchema)),
    members: byId(await readAll(snapshot, recordPaths.members, memberSchema)),
    fields: inOrder(await readAll(snapshot, recordPaths.customFields, customFieldSchema)),
  };
  const lists = inOrder(await readAll(snapshot, recordPaths.lists, listSchema));
  const comments = await readCommentViews(snapshot);
  const stored = new Set<string>();
  for await (const { path, type } of snapshot.list(recordPaths.cards))
    if (type === "stream") stored.add(path);
  const files: ExportedBoard["files"] = [];
  const cards: (CardView & { pos: number })[] = [];
  for await (const { path, kind } of snapshot.list(recordPaths.cards)) {
    if (kind !== "card") continue;
    const card = cardSchema.parse(await snapshot.readRecord(path));
    const attachments = attachmentViews(card, stored, files);
    const written = comments.get(card.id) ?? [];
    cards.push({ ...cardView(card, names), attachments, comments: written, pos: card.pos });
  }
  return {
    lists: lists.map(({ id, name }) => ({ id, name })),
    cards: inOrder(cards).map(({ pos: _pos, ...card }) => card),
    commentCount: [...comments.values()].reduce((sum, each) => sum + each.length, 0),
    files,
  };
}

type Names = {
  labels: ReadonlyMap<string, z.output<typeof labelSchema>>;
  members: ReadonlyMap<string, z.output<typeof memberSchema>>;
  fields: readonly TrelloCustomField[];
};

function cardView(card: TrelloCard, names: Names): Omit<CardView, "attachments" | "comments"> {
  const person = (id: string) => {
    const member = names.members.get(id);
    return member?.fullName || member?.username || id;
  };
  return {
    listId: card.idList,
    name: card.name,
    description: card.desc,
    isArchived: card.closed,
    url: card.shortUrl,
    labels: card.idLabels.flatMap((id) => {
      const label = names.labels.get(id);
      return label === undefined ? [] : [{ name: label.name, color: label.color }];
    }),
    members: card.idMembers.map(person),
    start: card.start,
    due: card.due,
    isDone: card.dueComplete,
    fields: names.fields.flatMap((field) => {
      const value = valueText(card, field);
      return value === null ? [] : [{ name: field.name, value }];
    }),
    checklists: inOrder(card.checklists).map(({ name, checkItems }) => ({
      name,
      items: inOrder(checkItems).map((item) => ({
        name: item.name,
        isDone: item.state === "complete",
        due: item.due,
      })),
    })),
  };
}

function attachmentViews(
  card: TrelloCard,
  stored: ReadonlySet<string>,
  files: ExportedBoard["files"],
): CardView["attachments"] {
  return card.attachments.flatMap((attachment) => {
    const { id, name, url, isUpload } = attachment;
    if (!isUpload) return [{ name, href: url }];
    const entry = recordPaths.attachment(card.id, id);
    if (!stored.has(entry)) return [];
    const path = `attachments/${id}/${safeFileName(attachment.fileName ?? name)}`;
    files.push({ path, entry });
    return [{ name, href: path.split("/").map(encodeURIComponent).join("/") }];
  });
}

async function readCommentViews(snapshot: SnapshotView): Promise<Map<string, CardView["comments"]>> {
  const found = new Map<string, CardView["comments"]>();
  for await (const { path } of snapshot.list(recordPaths.comments)) {
    const { date, memberCreator, data } = actionSchema.parse(await snapshot.readRecord(path));
    const cardId = path.split("/")[1] ?? "";
    const author = memberCreator?.fullName || memberCreator?.username || "Somebody";
    const comments = found.get(cardId) ?? [];
    comments.push({ author, at: date, text: data.text ?? "" });
    found.set(cardId, comments);
  }
  for (const comments of found.values()) comments.sort((one, other) => (one.at < other.at ? -1 : 1));
  return found;
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

const byId = <T extends { id: string }>(all: readonly T[]) =>
  new Map(all.map((member) => [member.id, member]));
const inOrder = <T extends { pos?: number }>(all: readonly T[]) =>
  all.toSorted((one, other) => (one.pos ?? 0) - (other.pos ?? 0));
