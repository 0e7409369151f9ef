import type { z } from "zod";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { safeFileName } from "#connectors/toolkit/export/safe-file-name.ts";
import {
  actionSchema,
  customFieldSchema,
  labelSchema,
  listSchema,
  memberSchema,
  type TrelloCard,
  type TrelloCustomField,
} from "../payloads.ts";
import { recordPaths } from "../record-paths.ts";
import { valueText } from "../restore/restore-fields.ts";
import type { CardFolder } from "./card-folders.ts";

export type CardView = {
  list: string;
  /** Cards of a board are sorted by it. */
  rank: number;
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

/** A card as the ZIP's tables show it, with the entries of its files by their paths in the ZIP. */
export type ExportedCard = { view: CardView; files: ReadonlyMap<string, string> };

/** Names of what cards refer to by id, read once. */
export async function readNames(snapshot: SnapshotView): Promise<Names> {
  return {
    lists: byId(await readAll(snapshot, recordPaths.lists, listSchema)),
    labels: byId(await readAll(snapshot, recordPaths.labels, labelSchema)),
    members: byId(await readAll(snapshot, recordPaths.members, memberSchema)),
    fields: inOrder(await readAll(snapshot, recordPaths.customFields, customFieldSchema)),
  };
}

/** Reads a card with its comments. */
export async function readExportedCard(
  snapshot: SnapshotView,
  folder: CardFolder,
  names: Names,
): Promise<ExportedCard> {
  const files = new Map<string, string>();
  const attachments = attachmentViews(folder, files);
  const comments = await readCommentViews(snapshot, folder.comments);
  return { view: { ...cardView(folder.card, names), attachments, comments }, files };
}

export type Names = {
  lists: ReadonlyMap<string, z.output<typeof listSchema>>;
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
    list: names.lists.get(card.idList)?.name ?? "",
    rank: card.pos,
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

/** Adds the card's files to `files`. */
function attachmentViews(
  { card, files: stored }: CardFolder,
  files: Map<string, string>,
): CardView["attachments"] {
  return card.attachments.flatMap((attachment) => {
    const { id, name, url, isUpload } = attachment;
    if (!isUpload) return [{ name, href: url }];
    const entry = recordPaths.attachment(card.id, id);
    if (!stored.has(entry)) return [];
    const path = `attachments/${id}/${safeFileName(attachment.fileName ?? name)}`;
    files.set(path, entry);
    return [{ name, href: path.split("/").map(encodeURIComponent).join("/") }];
  });
}

async function readCommentViews(
  snapshot: SnapshotView,
  paths: readonly string[],
): Promise<CardView["comments"]> {
  const comments: CardView["comments"] = [];
  for (const path of paths) {
    const { date, memberCreator, data } = actionSchema.parse(await snapshot.readRecord(path));
    const author = memberCreator?.fullName || memberCreator?.username || "Somebody";
    comments.push({ author, at: date, text: data.text ?? "" });
  }
  return comments.sort((one, other) => (one.at < other.at ? -1 : 1));
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
