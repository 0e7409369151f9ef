import { lineBreaks, PLAIN, type Run, runLines } from "#connectors/toolkit/markdown/run-lines.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { memberOf, membersOf, textOf } from "./members.ts";

/** Where links inside a workspace lead: Notion writes them without the site (`href: "/0a1b…"`). */
const SITE = "https://www.notion.so";

/** A rich text without its formatting. Mentions have the name that Notion showed. */
export function plainText(richText: readonly Json[]): string {
  return lineBreaks(richText.map((item) => textOf(item, "plain_text")).join(""));
}

/**
 * A rich text as Markdown. Underlines and the colours of single words leave their text, because Markdown has neither. An
 * equation inside a line is its LaTeX source, as code between dollar signs.
 *
 * @param isCell In a table's cell
 * @returns Lines of one paragraph, without empty ones around it
 */
export function richLines(richText: readonly Json[], isCell = false): string[] {
  return runLines(richText.map(runOf), isCell);
}

/** A rich text as one line of Markdown. */
export function richLine(richText: readonly Json[]): string {
  return richLines(richText).join(" ");
}

function runOf(item: Json): Run {
  const { bold, italic, strikethrough, code } = memberOf(item, "annotations");
  const isFormula = textOf(item, "type") === "equation";
  const text = lineBreaks(textOf(item, "plain_text"));
  return {
    // A line break in LaTeX is a space.
    ...(isFormula ? { text: text.replace(/\n/g, " "), isFormula } : { text }),
    marks: {
      ...PLAIN,
      code: code === true,
      strong: bold === true,
      em: italic === true,
      strike: strikethrough === true,
      href: addressOf(item),
    },
  };
}

function addressOf(item: Json): string {
  const href = textOf(item, "href") || textOf(membersOf(memberOf(item, "text").link), "url");
  return href.startsWith("/") ? `${SITE}${href}` : href;
}
