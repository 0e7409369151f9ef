import { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import { readNote } from "#connectors/toolkit/records/read-note.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import type { TrelloCustomField } from "../payloads.ts";
import type { PartOfBoard } from "../read/part-of-board.ts";
import { readCardFaces } from "../read/read-board.ts";
import { matchOptions, readCustomFields } from "./restore-custom-fields.ts";
import type { RestoreIo } from "./restore-io.ts";
import { labelKey, readLabels } from "./restore-labels.ts";
import { readLists } from "./restore-lists.ts";
import { getBoard } from "./restore-target.ts";

const schema = z.object({
  /** The list for the card; null = a new list is created. */
  listId: z.string().nullable(),
  /** Whether it is the card's original list, so that its old `pos` applies. */
  isOldList: z.boolean(),
  labels: z.record(z.string(), z.string()),
  fields: z.record(z.string(), z.string()),
  options: z.record(z.string(), z.string()),
  /** Things that look like ours but existed before the restore. */
  passedLists: z.array(z.string()),
  passedCards: z.array(z.string()),
});

/** What a restore into an existing board uses, and what it must not take for its own. */
export type PartTarget = z.output<typeof schema>;

const KEY = "there";

/**
 * Reads the board once, before anything is created, and journals the result: later, things we created cannot be
 * distinguished from similar ones that people created. Uses matching labels and custom fields; uses an existing list
 * only for a single card.
 *
 * @throws ConnectorError `unsupported` for an archived board
 */
export async function lookAtTarget(io: RestoreIo, part: PartOfBoard): Promise<PartTarget> {
  const noted = await readNote(io.journal, KEY, schema);
  if (noted !== null) return noted;
  const board = await getBoard(io.client, io.boardId);
  if (board.closed) {
    const message = "The board is archived at Trello. Open it there, or restore into another one.";
    throw new ConnectorError("unsupported", message);
  }
  const lists = await readLists(io);
  const named = lists.filter(({ name }) => name.trim() === part.list.name.trim());
  const isCard = part.kind === "card";
  const old = isCard ? lists.find(({ id, closed }) => id === part.list.id && !closed) : undefined;
  const used = old ?? (isCard ? named.find(({ closed }) => !closed) : undefined);
  const target: PartTarget = {
    listId: used?.id ?? null,
    isOldList: old !== undefined,
    labels: await matchLabels(io, part),
    ...(await matchFields(io, part)),
    passedLists: named.map(({ id }) => id),
    passedCards: used === undefined ? [] : await alikeCards(io, part, used.id),
  };
  await io.journal.record(KEY, target as Json);
  return target;
}

async function matchLabels(io: RestoreIo, { labels }: PartOfBoard): Promise<Record<string, string>> {
  if (labels.length === 0) return {};
  const there = new Map((await readLabels(io)).toReversed().map((label) => [labelKey(label), label.id]));
  return Object.fromEntries(
    labels.flatMap((label) => {
      const id = there.get(labelKey(label));
      return id === undefined ? [] : [[label.id, id]];
    }),
  );
}

/** Fields of the same name and type that have all needed options; a missing option would lose a value. */
async function matchFields(
  io: RestoreIo,
  { fields, cards }: PartOfBoard,
): Promise<Pick<PartTarget, "fields" | "options">> {
  if (fields.length === 0) return { fields: {}, options: {} };
  const there = await readCustomFields(io);
  const needed = new Set(cards.flatMap(({ card }) => card.customFieldItems.map(({ idValue }) => idValue)));
  const found = { fields: {} as Record<string, string>, options: {} as Record<string, string> };
  for (const field of fields) {
    const match = there.find(({ name, type }) => type === field.type && name.trim() === field.name.trim());
    if (match === undefined) continue;
    const options = matchOptions([field], new Map([[field.id, match.id]]), [match]);
    const isWhole = optionIds(field).every((id) => !needed.has(id) || options.has(id));
    if (!isWhole) continue;
    found.fields[field.id] = match.id;
    Object.assign(found.options, Object.fromEntries(options));
  }
  return found;
}

function optionIds({ options }: TrelloCustomField): string[] {
  return options.flatMap(({ id, _id }) => id ?? _id ?? []);
}

async function alikeCards(io: RestoreIo, { cards }: PartOfBoard, listId: string): Promise<string[]> {
  const names = new Set(cards.map(({ card }) => card.name.trim()));
  const ids: string[] = [];
  for await (const there of readCardFaces(io.session, io.boardId))
    for (const { id, idList, name } of there) if (idList === listId && names.has(name.trim())) ids.push(id);
  return ids;
}
