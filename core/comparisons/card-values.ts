import type { BoardCardDetail, BoardTag } from "#connectors/contract/board-view.ts";
import type { CardField } from "./views.ts";

/** One value of a card as text. */
export type CardValue = {
  /** Null = a custom field. */
  field: CardField | null;
  name: string;
  isTime: boolean;
  value: string;
};

/** A card's values as text, for comparison with another version. Empty values are left out. */
export function cardValues(card: BoardCardDetail, column: string | null): CardValue[] {
  const texts: Partial<Record<CardField, string | null>> = {
    title: card.title,
    text: card.text,
    column: column ?? card.columnId,
    archived: card.isArchived ? "yes" : null,
    role: card.role,
    tags: listOf(card.tags.map(tagText)),
    people: listOf(card.people),
    done: card.isDone ? "yes" : null,
    cover: coverText(card),
    files: listOf(card.files.map(fileText)),
    votes: card.voteCount === 0 ? null : String(card.voteCount),
    stickers: listOf(card.stickers),
  };
  const times: Partial<Record<CardField, number | null>> = { start: card.startAt, due: card.dueAt };
  const values: CardValue[] = [];
  for (const [field, value] of Object.entries(texts) as [CardField, string | null][])
    if (value) values.push({ field, name: field, isTime: false, value });
  for (const [field, at] of Object.entries(times) as [CardField, number | null][])
    if (at !== null) values.push({ field, name: field, isTime: true, value: String(at) });
  return [...values, ...merged(ownValues(card))];
}

function ownValues(card: BoardCardDetail): CardValue[] {
  const own = (name: string, value: string): CardValue => ({ field: null, name, isTime: false, value });
  return [
    ...card.fields.map(({ name, value }) => own(name, value)),
    ...card.checklists.map(({ title, items }) =>
      own(title, items.map(({ text, isDone }) => `${isDone ? "☑" : "☐"} ${text}`).join("\n") || "☐"),
    ),
  ];
}

/** Merges fields and checklists of the same name, because nothing else tells them apart. */
function merged(values: readonly CardValue[]): CardValue[] {
  const byName = new Map<string, CardValue>();
  for (const value of values) {
    const known = byName.get(value.name);
    byName.set(value.name, known ? { ...known, value: `${known.value}\n${value.value}` } : value);
  }
  return [...byName.values()];
}

/** One line each, sorted, so that a different order is not a difference. */
function listOf(texts: readonly string[]): string | null {
  return texts.length === 0 ? null : texts.toSorted().join("\n");
}

function tagText({ name, hue, shade }: BoardTag): string {
  const colour =
    hue === null ? "" : `${shade === "normal" ? "" : `${shade} `}${hue === "gray" ? "grey" : hue}`;
  return name === "" ? colour || "no name" : colour === "" ? name : `${name} (${colour})`;
}

function coverText({ cover, files }: BoardCardDetail): string | null {
  if (cover === null) return null;
  if (cover.picture === null) return tagText({ name: "", hue: cover.hue, shade: cover.shade });
  return files.find(({ path }) => path === cover.picture)?.name ?? cover.picture;
}

function fileText({ name, url }: BoardCardDetail["files"][number]): string {
  return url === null || url === name ? name : `${name}: ${url}`;
}
