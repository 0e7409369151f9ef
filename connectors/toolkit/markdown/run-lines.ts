import { codeSpan, escapeMarkdown, linkTarget, longestRun } from "./escape-markdown.ts";

/**
 * A piece of text with the same marks. `\n` is a line break. `isFormula` = LaTeX, written as GitHub does inside a line: a
 * code span between dollar signs.
 */
export type Run = { text: string; marks: Marks; isFormula?: boolean };
/** `subsup` = `sub`, `sup` or empty; `href` = an address, or empty. */
export type Marks = {
  code: boolean;
  strong: boolean;
  em: boolean;
  strike: boolean;
  subsup: string;
  href: string;
};

/** No marks. */
export const PLAIN: Marks = { code: false, strong: false, em: false, strike: false, subsup: "", href: "" };
const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ";
const LOWERED = "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₙ";
const SCRIPTED = "0123456789+-=()n";
const PUNCTUATION = /[\p{P}\p{S}]/u;

/**
 * Formatted text as Markdown that shows it as written. Marks that would not work where they stand leave their text.
 *
 * @param isCell In a table's cell, where a sign between cells ends a code span
 * @returns Lines of one paragraph, without empty ones around it
 */
export function runLines(runs: readonly Run[], isCell = false): string[] {
  const merged = mergeRuns(runs);
  let out = "";
  for (const [index, run] of merged.entries()) {
    const text = runText(run, { before: out, after: merged[index + 1]?.text ?? "", isCell });
    // A dollar sign before code would begin a formula.
    const isPrice = text.startsWith("`") && out.endsWith("$") && merged[index - 1]?.isFormula !== true;
    out = isPrice ? `${out.slice(0, -1)}\\$${text}` : `${out}${text}`;
  }
  const lines = out.split("\n").map((line) => line.replace(/[ \t]+/g, " ").trim());
  const first = lines.findIndex((line) => line !== "");
  return first < 0 ? [] : lines.slice(first, lines.findLastIndex((line) => line !== "") + 1);
}

/** All line breaks as `\n`. */
export const lineBreaks = (text: string): string => text.replace(/\r\n?|[\u2028\u2029]/g, "\n");

/** Joins neighbours with the same marks, because their signs would touch. */
function mergeRuns(runs: readonly Run[]): Run[] {
  const merged: Run[] = [];
  for (const run of runs) {
    if (run.text === "") continue;
    const last = merged.at(-1);
    if (last && !last.isFormula && !run.isFormula && isSame(last.marks, run.marks)) last.text += run.text;
    else merged.push({ ...run });
  }
  return merged;
}

const isSame = (one: Marks, other: Marks): boolean =>
  (Object.keys(PLAIN) as (keyof Marks)[]).every((name) => one[name] === other[name]);

/** @param place `before` = what the paragraph has so far; `after` = the text that follows */
function runText(
  { text, marks, isFormula = false }: Run,
  { before, after, isCell }: { before: string; after: string; isCell: boolean },
): string {
  // Signs around a space or across lines do not work.
  const core = text.trim();
  const front = text.slice(0, text.length - text.trimStart().length);
  const back = core === "" ? "" : text.slice(text.trimEnd().length);
  if (core === "" || core.includes("\n")) return plainText(text, marks);
  const isCode =
    (marks.code || isFormula) &&
    (isFormula || (before + front).at(-1) !== "`") &&
    // Three signs at the start of a line would begin a block.
    longestRun(core) < 2 &&
    !(isCell && core.includes("|")) &&
    !(marks.href !== "" && /[[\]]/.test(core));
  const code = isFormula ? `$${codeSpan(core)}$` : codeSpan(core);
  const inner = isCode ? code : plainText(core, marks);
  const linked = withLink(inner, core, marks);
  const ends = { before: (before + front).at(-1) ?? " ", after: (back + after).at(0) ?? " " };
  return `${front}${withSigns(linked, marks, ends)}${back}`;
}

function plainText(text: string, { subsup }: Marks): string {
  return escapeMarkdown(subsup === "" ? text : scripted(text, subsup));
}

/** `2` becomes `²` or `₂`; text with other letters stays. */
function scripted(text: string, type: string): string {
  const letters = [...text].map((letter) => SCRIPTED.indexOf(letter));
  if (letters.includes(-1)) return text;
  return letters.map((at) => (type === "sub" ? LOWERED : RAISED)[at]).join("");
}

function withLink(inner: string, text: string, { href }: Marks): string {
  if (href === "") return inner;
  const target = linkTarget(href);
  if (target !== null) return `[${inner}](${target})`;
  // Other addresses are written after the text, unless it contains them.
  return text.includes(href)
    ? inner
    : `${inner} ${escapeMarkdown(`(${lineBreaks(href).replace(/\n/g, " ")})`)}`;
}

/** Puts signs around a text, if they would work there: they must not touch other signs or, at a mark, letters. */
function withSigns(
  inner: string,
  { strong, em, strike }: Marks,
  { before, after }: { before: string; after: string },
) {
  const signs = `${strike ? "~~" : ""}${strong ? "**" : ""}${em ? "_" : ""}`;
  if (signs === "") return inner;
  // The outer of several signs touches the inner ones.
  const [first, last] = strike && (strong || em) ? ["*", "*"] : [inner.at(0)!, inner.at(-1)!];
  if (!isFree(before, first, em) || !isFree(after, last, em)) return inner;
  return `${signs}${inner}${[...signs].reverse().join("")}`;
}

/** Whether signs between an outer and an inner letter are recognised (CommonMark, "left-flanking delimiter run"). */
function isFree(outer: string, inner: string, isUnderscore: boolean): boolean {
  if (/[*_~`[\]!\\]/.test(outer)) return false;
  if (/\s/.test(outer) || PUNCTUATION.test(outer)) return true;
  return !isUnderscore && !PUNCTUATION.test(inner);
}
