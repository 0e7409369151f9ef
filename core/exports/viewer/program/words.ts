import type { ViewerBlock, ViewerPart } from "../data.ts";

/** Folds case and accents for comparison. */
export function fold(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

/** The words of a search. */
export function wordsOf(search: string): string[] {
  return fold(search).split(/\s+/).filter(Boolean);
}

/** All text of a part, in one string. */
export function textOfPart(part: ViewerPart): string {
  const texts: (string | undefined)[] = [
    part.key,
    part.title,
    part.author,
    part.state?.label,
    ...(part.people ?? []),
    ...(part.badges ?? []),
    ...(part.tags ?? []).map(({ name }) => name),
    ...(part.fields ?? []).map(({ value }) => value),
    ...(part.checklists ?? []).flatMap(({ title, items }) => [title, ...items.map(({ text }) => text)]),
    ...(part.blocks ?? []).flatMap(textsOf),
    ...(part.files ?? []).map(({ name }) => name),
    ...Object.values(part.cells ?? {}),
    ...(part.notes ?? []).flatMap((note) => (note.isEvent ? [] : [note.author, note.text])),
  ];
  return fold(texts.filter(Boolean).join("\n"));
}

/** The texts of a block and of those inside it. */
function textsOf(block: ViewerBlock): string[] {
  switch (block.type) {
    case "text":
      return [block.text];
    case "inset":
      return block.blocks.flatMap(textsOf);
    case "toggle":
      return [block.title, ...block.blocks.flatMap(textsOf)];
    case "columns":
      return block.columns.flatMap(({ blocks }) => blocks.flatMap(textsOf));
    default:
      return [];
  }
}

/** A time in UTC, without seconds, the same for every reader. */
export function timeText(at: number): string {
  const iso = isoOf(at);
  return iso === "" ? "" : `${dayText(at)} ${iso.slice(11, 16)}`;
}

/** A time in UTC, with seconds. */
export function momentText(at: number): string {
  const iso = isoOf(at);
  return iso === "" ? "" : `${dayText(at)} ${iso.slice(11, 19)}`;
}

/** A day in UTC, without its year if that is the year of `now`. */
export function shortDayText(at: number, now: number): string {
  const [day, year] = [dayText(at), ` ${isoOf(now).slice(0, 4)}`];
  return year !== " " && day.endsWith(year) ? day.slice(0, -year.length) : day;
}

/** A long hash by its beginning and end, in groups of four: enough to tell two apart at a glance. */
export function shortHash(hash: string): string {
  if (hash.length <= 24) return hash;
  const groups = [0, 4, 8].map((from) => hash.slice(from, from + 4));
  return `${groups.join(" ")} \u2026 ${hash.slice(-4)}`;
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** A day in UTC. */
export function dayText(at: number): string {
  const iso = isoOf(at);
  return iso === ""
    ? ""
    : `${Number(iso.slice(8, 10))} ${MONTHS[Number(iso.slice(5, 7)) - 1]} ${iso.slice(0, 4)}`;
}

/** `2026-11-20T…`; empty for an invalid date. */
export function isoOf(at: number): string {
  const iso = Math.abs(at) <= 8.64e15 ? new Date(at).toISOString() : "";
  return /^\d{4}-/.test(iso) ? iso : "";
}

/** Compares cards by their rank: all ranks are numbers, or all are strings. */
export function byRank(one: ViewerPart, other: ViewerPart): number {
  const [a, b] = [one.rank ?? 0, other.rank ?? 0];
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a) < String(b) ? -1 : Number(String(a) > String(b));
}

/** A count with its noun. */
export function countText(count: number, { one, many }: { one: string; many: string }): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;
}

/** A word at the start of a label. */
export function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Initials of the first and the last name. */
export function initialsOf(name: string): string {
  const parts = name.trim().split(/\s+/);
  const first = (part: string | undefined) => [...(part ?? "")][0] ?? "";
  return (first(parts[0]) + (parts.length > 1 ? first(parts[parts.length - 1]) : "")).toUpperCase();
}
