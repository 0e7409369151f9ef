/**
 * Text that Markdown (CommonMark with GitHub's extensions) shows as written, within a line of a paragraph or a table.
 * Addresses do not become links by themselves: where a platform has a link, its document has a mark.
 */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/[\\`*[\]~|<>]|_(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])_/gu, "\\$&")
    .replace(/&(?=#?[\p{L}\p{N}]+;)/gu, "\\&")
    .replace(/!(?=\\\[|$)/g, "\\!")
    .replace(/(?<=\])\(/g, "\\(")
    .replace(/:(?=\/\/)|(?<=www)\.|(?<=\S)@(?=\S)/gi, "\\$&");
}

/** Escapes what would begin a block at the start of a line: a heading, a list, a rule, a table's border. */
export function escapeLineStart(line: string): string {
  return line.replace(/^(\s*)([#+\-=:])/, "$1\\$2").replace(/^(\s*\d{1,9})([.)])/, "$1\\$2");
}

/** A code span around any text without line breaks. */
export function codeSpan(text: string): string {
  const inner = text.replace(/(?<!\s)\s+/g, (gap) => (gap.includes("\n") ? " " : gap));
  if (inner.trim() === "") return escapeMarkdown(inner);
  const fence = "`".repeat(longestRun(inner) + 1);
  const pad = /^[` ]|[` ]$/.test(inner) ? " " : "";
  return `${fence}${pad}${inner}${pad}${fence}`;
}

/** Length of the longest run of backticks. */
export function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
}

/** An address that may stand in a link; null for other schemes, which might run a script. */
export function linkTarget(address: string): string | null {
  if (!/^(https?:\/\/|mailto:)/i.test(address)) return null;
  const encode = (letter: string) => `%${letter.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
  return address
    .toWellFormed()
    .trim()
    .replace(/[\p{Cc}\p{Z}]/gu, (letter) => (letter < "\u0080" ? encode(letter) : encodeURIComponent(letter)))
    .replace(/[<>()\\|"'`*]/g, encode)
    .replace(/(?<=&#?\w*);/g, "%3B");
}
