import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { visibleText } from "#app/format/visible-text.ts";
import { inlineFormula, inlineFormulaHtml } from "./inline-formula.server.ts";
import { renderFormula } from "./render-formula.server.ts";

/** Longer texts are shown as plain text: nobody reads them as a page, and parsing is slow. */
const LONGEST = 128 * 1024;
/** Above this number of marks in one paragraph, matching them is too slow. */
const MOST_MARKS = 600;
const MOST_MARKS_IN_ALL = 6_000;
/** Columns of a table. */
const MOST_BARS = 60;
/** Deeper nesting only occurs in attacks on parsers. */
const DEEPEST_NESTING = 40;
/** Formulas of a text; further ones stay LaTeX. */
const MOST_FORMULAS = 200;

/**
 * Renders foreign Markdown as HTML for our own pages, or returns null for text that is better shown as plain text. Raw
 * HTML stays text. URLs other than web and mail ones are dropped. Nothing is loaded from elsewhere: images become their
 * description, because loading one tells its server who is viewing. Formulas (a code block named `math`, or a code span
 * between dollar signs) become MathML.
 */
export function renderMarkdown(text: string): string | null {
  if (text.length > LONGEST || isTooCostly(text)) return null;
  const html = micromark(visibleText(text), {
    allowDangerousHtml: false,
    allowDangerousProtocol: false,
    extensions: [gfm(), inlineFormula],
    htmlExtensions: [gfmHtml(), inlineFormulaHtml],
  });
  // Attributes written by micromark are encoded, so no quote or bracket can end them early.
  return withFormulas(html)
    .replace(
      /<img src="([^"]*)" alt="([^"]*)"(?: title="[^"]*")? \/>/g,
      (_, source: string, words: string) => {
        const label = words === "" ? "picture" : words;
        return `<span class="md-image" title="${source}">${label}</span>`;
      },
    )
    .replace(/<input type="checkbox" disabled=""( checked="")? \/>/g, (_, checked = "") => {
      const label = checked === "" ? "open" : "done";
      return `<input type="checkbox" disabled=""${checked} aria-label="${label}" />`;
    })
    .replace(/<a href="(?!#)/g, '<a target="_blank" rel="noreferrer nofollow" href="')
    .replace(
      /<(\/?)h([1-6])>/g,
      (_, slash: string, level: string) => `<${slash}h${Math.min(6, Number(level) + 2)}>`,
    );
}

/** Renders formulas, which stand in code elements of their own. Those that cannot be rendered stay code. */
function withFormulas(html: string): string {
  let left = MOST_FORMULAS;
  return html.replace(
    /<pre><code class="language-math">([^<]*)<\/code><\/pre>|<code class="formula">([^<]*)<\/code>/g,
    (code, block: string | undefined, inline = "") => {
      left -= 1;
      const math = left < 0 ? null : renderFormula(decoded(block ?? inline), block !== undefined);
      if (math === null) return code;
      return block === undefined ? math : `<div class="md-formula">${math}</div>`;
    },
  );
}

/** Text of an element as micromark encodes it. */
function decoded(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}

/** Emphasis, brackets and quotes are matched with each other, so their number determines the parsing time. */
function isTooCostly(text: string): boolean {
  let all = 0;
  let inBlock = 0;
  for (const line of text.split("\n")) {
    const marks = line.match(/[*_~[\]`<&!]|:\/\//g)?.length ?? 0;
    inBlock = line.trim() === "" ? 0 : inBlock + marks;
    all += marks;
    if (inBlock > MOST_MARKS || all > MOST_MARKS_IN_ALL) return true;
    if ((line.match(/\|/g)?.length ?? 0) > MOST_BARS) return true;
    const front = /^[\s>*+\-0-9.)]*/.exec(line)?.[0] ?? "";
    if ((front.match(/>|[*+-]\s|[0-9][.)]/g)?.length ?? 0) > DEEPEST_NESTING) return true;
  }
  return false;
}
