/** An inline element. */
export type Inline =
  | string
  | { tag: "code" | "image"; text: string }
  | { tag: "strong" | "em" | "del"; inlines: Inline[] }
  | { tag: "a"; href: string; inlines: Inline[] };

/** A block element. */
export type Block =
  | { tag: "p"; inlines: Inline[] }
  | { tag: "heading"; level: number; inlines: Inline[] }
  | { tag: "pre"; text: string }
  | { tag: "quote"; blocks: Block[] }
  /** `start` = the number of the first item, if it is not 1. */
  | {
      tag: "list";
      isOrdered: boolean;
      start?: number;
      items: { isTicked: boolean | null; blocks: Block[] }[];
    }
  | { tag: "table"; rows: Inline[][][] }
  | { tag: "rule" };

const DEEPEST = 8;
/** Longer paragraphs are shown as plain text. */
const LONGEST_PARAGRAPH = 10_000;
const MOST_COLUMNS = 60;
const FENCE = /^\s{0,3}(```+|~~~+)/;
const HEADING = /^\s{0,3}(#{1,6})\s/;
const RULE = /^\s{0,3}(\*\s*\*\s*\*[*\s]*|-\s*-\s*-[-\s]*|_\s*_\s*_[_\s]*)$/;
const ITEM = /^(\s{0,3})([*+-]|\d{1,9}[.)])(\s+|$)/;
const QUOTE = /^\s{0,3}>\s?/;
const DIVIDER = /^[\s|:-]+$/;

/**
 * Parses the Markdown that people use in work tools: headings, task lists, quotes, code, tables, emphasis and links.
 * Unknown syntax stays as text. It produces no HTML, so text cannot become markup.
 */
export function parseMarkdown(text: string, depth = 0): Block[] {
  const lines = text.replace(/\r\n?/g, "\n").split("\n");
  const blocks: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    if (lines[at]!.trim() === "") {
      at += 1;
      continue;
    }
    const [block, next] = depth > DEEPEST ? paragraph(lines, at) : readBlock(lines, at, depth);
    blocks.push(block);
    at = next;
  }
  return blocks;
}

function readBlock(lines: string[], at: number, depth: number): [Block, number] {
  const line = lines[at]!;
  const fence = FENCE.exec(line)?.[1];
  if (fence !== undefined) return fenced(lines, at, fence);
  const heading = HEADING.exec(line);
  if (heading !== null) {
    const title = withoutMarks(line.slice(heading[0].length));
    return [{ tag: "heading", level: heading[1]!.length, inlines: parseInlines(title) }, at + 1];
  }
  if (RULE.test(line)) return [{ tag: "rule" }, at + 1];
  if (QUOTE.test(line)) return quote(lines, at, depth);
  if (ITEM.test(line)) return list(lines, at, depth);
  if (line.includes("|") && isDivider(lines[at + 1] ?? "")) return table(lines, at);
  return paragraph(lines, at);
}

/** The text of a heading without its closing `#` signs. */
function withoutMarks(title: string): string {
  let end = title.length;
  while (title[end - 1] === "#" && title[end - 2] !== "\\") end -= 1;
  return title.slice(0, end).trim();
}

/** True for the delimiter row below a table's header. */
function isDivider(line: string): boolean {
  return line.includes("|") && line.includes("-") && DIVIDER.test(line);
}

function fenced(lines: string[], at: number, fence: string): [Block, number] {
  let end = at + 1;
  while (end < lines.length && !lines[end]!.trim().startsWith(fence)) end += 1;
  return [{ tag: "pre", text: lines.slice(at + 1, end).join("\n") }, end + 1];
}

function quote(lines: string[], at: number, depth: number): [Block, number] {
  let end = at;
  while (end < lines.length && QUOTE.test(lines[end]!)) end += 1;
  const inner = lines.slice(at, end).map((line) => line.replace(QUOTE, ""));
  return [{ tag: "quote", blocks: parseMarkdown(inner.join("\n"), depth + 1) }, end];
}

/** Items of one list. Lines indented below an item belong to it. */
function list(lines: string[], at: number, depth: number): [Block, number] {
  const sign = ITEM.exec(lines[at]!)?.[2] ?? "";
  const isOrdered = /\d/.test(sign);
  const start = isOrdered ? Number.parseInt(sign, 10) : 1;
  const items: { isTicked: boolean | null; blocks: Block[] }[] = [];
  let end = at;
  while (end < lines.length) {
    const mark = ITEM.exec(lines[end]!);
    if (mark === null || /\d/.test(mark[2]!) !== isOrdered || RULE.test(lines[end]!)) break;
    const inner = [lines[end]!.slice(mark[0].length)];
    end += 1;
    while (end < lines.length && belongsToItem(lines, end)) {
      inner.push(lines[end]!.replace(/^(\t|\s{1,4})/, ""));
      end += 1;
    }
    items.push(item(inner, depth));
    while (end + 1 < lines.length && lines[end]!.trim() === "" && ITEM.test(lines[end + 1]!)) end += 1;
  }
  return [{ tag: "list", isOrdered, ...(start !== 1 && { start }), items }, end];
}

function belongsToItem(lines: string[], at: number): boolean {
  const line = lines[at]!;
  if (line.trim() === "") return /^(\t|\s{2,})\S/.test(lines[at + 1] ?? "");
  if (/^(\t|\s{2,})/.test(line)) return true;
  return lines[at - 1]!.trim() !== "" && !startsBlock(line);
}

function item(inner: string[], depth: number) {
  const tick = /^\[([ xX])\]\s/.exec(inner[0]!);
  if (tick !== null) inner[0] = inner[0]!.slice(tick[0].length);
  return {
    isTicked: tick === null ? null : tick[1] !== " ",
    blocks: parseMarkdown(inner.join("\n"), depth + 1),
  };
}

function table(lines: string[], at: number): [Block, number] {
  let end = at + 2;
  while (end < lines.length && lines[end]!.includes("|")) end += 1;
  const rows = [lines[at]!, ...lines.slice(at + 2, end)].map((line) =>
    line
      .trim()
      .replace(/^\|/, "")
      .replace(/(?<!\\)\|$/, "")
      .split(/(?<!\\)\|/, MOST_COLUMNS)
      .map((cell) => parseInlines(cell.trim())),
  );
  return [{ tag: "table", rows }, end];
}

function paragraph(lines: string[], at: number): [Block, number] {
  let end = at + 1;
  while (end < lines.length && lines[end]!.trim() !== "" && !startsBlock(lines[end]!)) end += 1;
  const text = lines
    .slice(at, end)
    .map((line) => line.trim())
    .join("\n");
  return [{ tag: "p", inlines: text.length > LONGEST_PARAGRAPH ? [text] : parseInlines(text) }, end];
}

function startsBlock(line: string): boolean {
  return FENCE.test(line) || HEADING.test(line) || QUOTE.test(line) || ITEM.test(line) || RULE.test(line);
}

/** Emphasis, code and links of a line. */
export function parseInlines(text: string, depth = 0): Inline[] {
  const found: Inline[] = [];
  let plain = "";
  let at = 0;
  const push = (inline: Inline, next: number) => {
    if (plain !== "") found.push(plain);
    plain = "";
    found.push(inline);
    at = next;
  };
  while (at < text.length) {
    const read = depth > DEEPEST ? null : readInline(text, at, depth);
    if (read !== null) push(...read);
    else if (text[at] === "\\" && /[!-/:-@[-`{-~]/.test(text[at + 1] ?? "")) {
      plain += text[at + 1];
      at += 2;
    } else {
      plain += text[at];
      at += 1;
    }
  }
  if (plain !== "") found.push(plain);
  return found;
}

function readInline(text: string, at: number, depth: number): [Inline, number] | null {
  switch (text[at]) {
    case "`":
      return readCode(text, at);
    case "*":
    case "_":
    case "~":
      return readEmphasis(text, at, depth);
    case "!":
      return text[at + 1] === "[" ? readLink(text, at + 1, depth) : null;
    case "[":
      return readLink(text, at, depth);
    case "h":
      return readAddress(text, at);
    default:
      return null;
  }
}

function readCode(text: string, at: number): [Inline, number] | null {
  let width = 1;
  while (text[at + width] === "`") width += 1;
  const end = text.indexOf("`".repeat(width), at + width);
  return end < 0 ? null : [{ tag: "code", text: text.slice(at + width, end).trim() }, end + width];
}

function readEmphasis(text: string, at: number, depth: number): [Inline, number] | null {
  const sign = text[at]!;
  const isDouble = text[at + 1] === sign;
  if (sign === "~" && !isDouble) return null;
  const mark = isDouble ? sign + sign : sign;
  const from = at + mark.length;
  const isInWord = isLetter(text[at - 1]);
  if (/\s/.test(text[from] ?? " ") || (sign === "_" && isInWord)) return null;
  const end = endOf(text, mark, from);
  if (end < 0 || /\s/.test(text[end - 1]!)) return null;
  const tag = sign === "~" ? "del" : isDouble ? "strong" : "em";
  return [{ tag, inlines: parseInlines(text.slice(from, end), depth + 1) }, end + mark.length];
}

/** Where a mark closes, or -1: not at an escaped sign or in code, and an underscore not inside a word. */
function endOf(text: string, mark: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const code = text[at] === "`" ? readCode(text, at) : null;
    if (code !== null) at = code[1];
    else if (text[at] === "\\") at += 2;
    else if (text.startsWith(mark, at) && !(mark[0] === "_" && isLetter(text[at + mark.length]))) return at;
    else at += 1;
  }
  return -1;
}

/** Whether an underscore beside it is inside a word. */
function isLetter(sign: string | undefined): boolean {
  return sign !== undefined && /[\p{L}\p{N}_]/u.test(sign);
}

/** A link, or an image, which is shown as its alt text. */
function readLink(text: string, at: number, depth: number): [Inline, number] | null {
  const middle = text.indexOf("](", at);
  const end = middle < 0 ? -1 : text.indexOf(")", middle);
  if (end < 0 || text.slice(at, middle).includes("\n\n")) return null;
  const words = text.slice(at + 1, middle);
  if (text[at - 1] === "!" && text[at - 2] !== "\\")
    return [{ tag: "image", text: words || "picture" }, end + 1];
  const href =
    text
      .slice(middle + 2, end)
      .trim()
      .split(/\s/)[0] ?? "";
  const inlines = parseInlines(words, depth + 1);
  return isWebAddress(href) ? [{ tag: "a", href, inlines }, end + 1] : null;
}

function readAddress(text: string, at: number): [Inline, number] | null {
  if (!/^https?:\/\//.test(text.slice(at, at + 8)) || /\w/.test(text[at - 1] ?? "")) return null;
  const href = /^[^\s<>"'`]*[^\s<>"'`.,:;!?)\]*_~]/.exec(text.slice(at, at + 2_000))?.[0] ?? "";
  return isWebAddress(href) ? [{ tag: "a", href, inlines: [href] }, at + href.length] : null;
}

/** True for addresses that a browser opens as a page or an e-mail; other schemes may run a script. */
export function isWebAddress(href: string): boolean {
  return /^(https?:\/\/|mailto:)\S+$/i.test(href);
}
