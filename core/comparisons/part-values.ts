import type { BoardCardDetail } from "#connectors/contract/board-view.ts";
import type { Field, FileLink, Tag } from "#connectors/contract/field.ts";
import type { PageBlock } from "#connectors/contract/page-block.ts";
import type { PageDetail } from "#connectors/contract/pages-view.ts";
import type { RowDetail, TableCell, TableColumn } from "#connectors/contract/table-view.ts";
import type { ThreadDetail } from "#connectors/contract/thread-view.ts";
import { diffValue } from "./compare-record.ts";
import type { PartComparison, PartField } from "./views.ts";

/** One value of a part as text. */
export type PartValue = {
  /** Null = a custom field. */
  field: PartField | null;
  name: string;
  isTime: boolean;
  value: string;
};

/** The values of a card as texts to compare; empty ones are omitted. */
export function cardValues(card: BoardCardDetail, column: string | null): PartValue[] {
  return [
    ...textValues({
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
    }),
    ...timeValues({ start: card.startAt, due: card.dueAt }),
    ...ownValues([
      ...card.fields,
      ...card.checklists.map(({ title, items }) => ({
        name: title,
        value: items.map(({ text, isDone }) => `${isDone ? "☑" : "☐"} ${text}`).join("\n") || "☐",
      })),
    ]),
  ];
}

/** The values of a thread, without its notes. */
export function threadValues({ title, text, state, tags, files, fields }: ThreadDetail): PartValue[] {
  const values = {
    title,
    text,
    state: state?.label,
    tags: listOf(tags.map(tagText)),
    files: listOf(files.map(fileText)),
  };
  return [...textValues(values), ...ownValues(fields)];
}

/** The values of a page, without its comments. */
export function pageValues({ title, blocks, isArchived, files, fields, crumbs }: PageDetail): PartValue[] {
  const values = {
    title,
    text: blocksText(blocks),
    place: crumbs.map((crumb) => crumb.title).join(" / "),
    archived: isArchived ? "yes" : null,
    files: listOf(files.map(fileText)),
  };
  return [...textValues(values), ...ownValues(fields)];
}

/** The values of a row, without its comments. */
export function rowValues(
  { title, blocks, isArchived, files, cells }: RowDetail,
  columns: readonly TableColumn[],
): PartValue[] {
  const values = {
    title,
    text: blocksText(blocks),
    archived: isArchived ? "yes" : null,
    files: listOf(files.map(fileText)),
  };
  const own = columns.flatMap(({ id, name }) => {
    const cell = cells[id];
    return cell ? [{ name, value: cellText(cell) }] : [];
  });
  return [...textValues(values), ...ownValues(own)];
}

/** Values that differ, in reading order. */
export function diffValues(
  before: readonly PartValue[],
  after: readonly PartValue[],
): PartComparison["fields"] {
  const keyOf = ({ field, name }: PartValue) => `${field ?? ""}\u0000${name}`;
  const old = new Map(before.map((value) => [keyOf(value), value]));
  const young = new Map(after.map((value) => [keyOf(value), value]));
  return [...new Set([...young.keys(), ...old.keys()])].flatMap((key) => {
    const [left, right] = [old.get(key), young.get(key)];
    const either = right ?? left;
    if (!either || left?.value === right?.value) return [];
    const { field, name, isTime } = either;
    const { before, after, text } = diffValue(name, left?.value ?? null, right?.value ?? null);
    return [{ field, name, isTime, before, after, text }];
  });
}

function textValues(texts: Partial<Record<PartField, string | null | undefined>>): PartValue[] {
  return (Object.entries(texts) as [PartField, string | null | undefined][]).flatMap(([field, value]) =>
    value ? [{ field, name: field, isTime: false, value }] : [],
  );
}

function timeValues(times: Partial<Record<PartField, number | null>>): PartValue[] {
  return (Object.entries(times) as [PartField, number | null][]).flatMap(([field, at]) =>
    at === null ? [] : [{ field, name: field, isTime: true, value: String(at) }],
  );
}

/** Merges custom fields of the same name into one value, because nothing else distinguishes them. */
function ownValues(fields: readonly Field[]): PartValue[] {
  const byName = new Map<string, PartValue>();
  for (const { name, value } of fields) {
    const known = byName.get(name);
    const whole = known ? `${known.value}\n${value}` : value;
    if (value !== "") byName.set(name, { field: null, name, isTime: false, value: whole });
  }
  return [...byName.values()];
}

/** One line per text, sorted, so that a different order is not a difference. */
function listOf(texts: readonly string[]): string | null {
  return texts.length === 0 ? null : texts.toSorted().join("\n");
}

function tagText({ name, hue, shade }: Tag): string {
  const colour =
    hue === null ? "" : `${shade === "normal" ? "" : `${shade} `}${hue === "gray" ? "grey" : hue}`;
  return name === "" ? colour || "no name" : colour === "" ? name : `${name} (${colour})`;
}

function coverText({ cover, files }: BoardCardDetail): string | null {
  if (cover === null) return null;
  if (cover.picture === null) return tagText({ name: "", hue: cover.hue, shade: cover.shade });
  return files.find(({ path }) => path === cover.picture)?.name ?? cover.picture;
}

function fileText({ name, url }: FileLink): string {
  return url === null || url === name ? name : `${name}: ${url}`;
}

function blockText(block: PageBlock): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "file":
      return fileText(block.file);
    case "page":
    case "table":
      return block.title;
    case "absent":
      return block.url === null ? block.reason : `${block.reason} ${block.url}`;
    case "inset":
      return [block.icon ?? "", blocksText(block.blocks)].filter(Boolean).join(" ");
    case "toggle":
      return [block.title, blocksText(block.blocks)].filter(Boolean).join("\n\n");
    case "columns":
      return block.columns
        .map(({ blocks }) => blocksText(blocks))
        .filter(Boolean)
        .join("\n\n");
    default:
      return block satisfies never;
  }
}

/** One paragraph per block, so that a difference is found block by block. */
function blocksText(blocks: readonly PageBlock[]): string {
  return blocks.map(blockText).join("\n\n");
}

function cellText(cell: TableCell): string {
  switch (cell.type) {
    case "text":
    case "number":
      return cell.text;
    case "date":
      return [cell.from, cell.until]
        .flatMap((at) => (at === null ? [] : [dateText(at, cell.hasTime)]))
        .join(" to ");
    case "check":
      return cell.isOn ? "Yes" : "No";
    case "tags":
      return listOf(cell.tags.map(tagText)) ?? "";
    case "files":
      return listOf(cell.files.map(fileText)) ?? "";
    case "rows":
      return listOf(cell.rows.map(({ title }) => title)) ?? "";
    default:
      return cell satisfies never;
  }
}

/** Formats in UTC, as the platform stores it. */
function dateText(at: number, hasTime: boolean): string {
  const text = new Date(at).toISOString();
  return hasTime ? `${text.slice(0, 10)} ${text.slice(11, 16)} UTC` : text.slice(0, 10);
}
