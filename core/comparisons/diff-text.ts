import { structuredPatch } from "diff";
import { CONTEXT_LINES, DIFF_MS, LONGEST_LINE, LONGEST_TEXT, MOST_EDITS, MOST_LINES } from "./limits.ts";
import type { TextDifference, TextPiece } from "./views.ts";

/** Characters of a very long line that are shown before its change. */
const LEAD = 80;

type Line = Pick<TextPiece, "change" | "line" | "text" | "isUnended">;

/** Compares two texts line by line, with context lines; null when they are too long or too different. */
export function diffText(before: string, after: string): TextDifference {
  if (before.length > LONGEST_TEXT || after.length > LONGEST_TEXT) return null;
  const isPlain = !hasOwnBreaks(before) && !hasOwnBreaks(after);
  const [old, young] = isPlain ? [unixBreaks(before), unixBreaks(after)] : [before, after];
  const patch = structuredPatch("", "", old, young, undefined, undefined, {
    context: CONTEXT_LINES,
    maxEditLength: MOST_EDITS,
    timeout: DIFF_MS,
  });
  if (!patch) return null;
  let left = MOST_LINES;
  const parts: TextPiece[][] = [];
  for (const hunk of patch.hunks) {
    const lines = linesOf(hunk).slice(0, Math.max(0, left));
    if (lines.length > 0) parts.push(piecesOf(lines));
    left -= hunk.lines.length;
  }
  return { parts, isCut: left < 0, areBreaksChanged: isPlain && areBreaksChanged(before, after) };
}

/** A whole text as added or removed. */
export function wholeText(text: string, change: "added" | "removed"): TextDifference {
  const plain = hasOwnBreaks(text) ? text : unixBreaks(text);
  const lines = plain === "" ? [] : plain.replace(/\n$/, "").split("\n", MOST_LINES + 1);
  const pieces = lines
    .slice(0, MOST_LINES)
    .map((line, at) => pieceOf({ change, line: at + 1, text: line, isUnended: false }, null));
  const parts = pieces.length === 0 ? [] : [pieces];
  return { parts, isCut: lines.length > MOST_LINES, areBreaksChanged: false };
}

/** True when a text has carriage returns that are not all Windows line breaks. Otherwise line breaks are ignored. */
function hasOwnBreaks(text: string): boolean {
  return text.includes("\r") && /\r(?!\n)|(?<!\r)\n/.test(text);
}

/** True when the two texts use different line breaks. A text of one line has none. */
function areBreaksChanged(before: string, after: string): boolean {
  const isWindows = (text: string) => (text.includes("\n") ? text.includes("\r\n") : null);
  const [old, young] = [isWindows(before), isWindows(after)];
  return old !== null && young !== null && old !== young;
}

const unixBreaks = (text: string) => text.replaceAll("\r\n", "\n");

function linesOf(hunk: { oldStart: number; newStart: number; lines: string[] }): Line[] {
  let [old, young] = [hunk.oldStart, hunk.newStart];
  const lines: Line[] = [];
  for (const each of hunk.lines) {
    const text = each.slice(1);
    if (each.startsWith("-")) lines.push({ change: "removed", line: old++, text, isUnended: false });
    else if (each.startsWith("+")) lines.push({ change: "added", line: young++, text, isUnended: false });
    else if (each.startsWith(" ")) {
      lines.push({ change: "same", line: young++, text, isUnended: false });
      old++;
    } else if (each.startsWith("\\")) lines.at(-1)!.isUnended = true;
  }
  return lines;
}

/** Pairs removed lines with as many added ones, to mark the differing part of each line. */
function piecesOf(lines: readonly Line[]): TextPiece[] {
  const pieces: TextPiece[] = [];
  for (let at = 0; at < lines.length; ) {
    const gone = runOf(lines, at, "removed");
    const come = runOf(lines, at + gone.length, "added");
    if (gone.length + come.length === 0) {
      pieces.push(pieceOf(lines[at++]!, null));
      continue;
    }
    const isPaired = gone.length === come.length;
    const marks = gone.map((line, i) => (isPaired ? marksOf(line.text, come[i]!.text) : null));
    for (const [i, line] of gone.entries()) pieces.push(pieceOf(line, marks[i]?.[0] ?? null));
    for (const [i, line] of come.entries()) pieces.push(pieceOf(line, marks[i]?.[1] ?? null));
    at += gone.length + come.length;
  }
  return pieces;
}

function runOf(lines: readonly Line[], from: number, change: Line["change"]): Line[] {
  let to = from;
  while (lines[to]?.change === change) to++;
  return lines.slice(from, to);
}

type Mark = [from: number, to: number];

/** The parts of two lines between their common prefix and suffix; null when they have neither. */
function marksOf(a: string, b: string): [Mark, Mark] | null {
  const least = Math.min(a.length, b.length);
  let start = 0;
  while (start < least && a[start] === b[start]) start++;
  if (isDivided(a, start) || isDivided(b, start)) start--;
  let end = 0;
  while (end < least - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  if (isDivided(a, a.length - end) || isDivided(b, b.length - end)) end--;
  if (start + end === 0) return null;
  return [
    [start, a.length - end],
    [start, b.length - end],
  ];
}

/** True when this position splits a surrogate pair. */
function isDivided(text: string, at: number): boolean {
  return (
    at > 0 &&
    /^[\udc00-\udfff]/.test(text.slice(at, at + 1)) &&
    /[\ud800-\udbff]$/.test(text.slice(at - 1, at))
  );
}

function pieceOf({ change, line, text, isUnended }: Line, mark: Mark | null): TextPiece {
  if (text.length <= LONGEST_LINE)
    return { change, line, text, mark, isCutStart: false, isCutEnd: false, isUnended };
  let from = Math.max(0, (mark?.[0] ?? 0) - LEAD);
  if (isDivided(text, from)) from--;
  let to = Math.min(text.length, from + LONGEST_LINE);
  if (isDivided(text, to)) to--;
  return {
    change,
    line,
    text: text.slice(from, to),
    mark: mark && [Math.min(mark[0], to) - from, Math.min(mark[1], to) - from],
    isCutStart: from > 0,
    isCutEnd: to < text.length,
    isUnended,
  };
}
