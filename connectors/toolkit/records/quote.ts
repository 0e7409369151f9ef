/** The author, time and URL of an original text. */
export type Origin = {
  /** The author's login or name; null = the account no longer exists. */
  author: string | null;
  /** ISO 8601; null = unknown. */
  at: string | null;
  /** URL of the original. */
  url: string | null;
  /** Further facts for the reader, e.g. "closed on 2 March 2026". */
  facts?: readonly string[];
};

/** The specifics of a platform's texts. */
export type Dialect = {
  /** Maximum length of a text, in UTF-16 units. */
  maxLength: number;
  /** Neutralises a URL, so that a link to an original does not write "mentioned here" into its history. */
  quietUrl: (url: string) => string;
  /** Patterns that would notify someone or write into another thing's history, with replacements that read the same. */
  quietPatterns: readonly { pattern: RegExp; replacement: string }[];
};

/** Invisible, and breaks mentions on every platform. */
export const ZERO_WIDTH = "\u200b";
/** Code is displayed unchanged and never notifies anyone. */
const CODE = /(```[\s\S]*?(?:```|$)|~~~[\s\S]*?(?:~~~|$)|`[^`\n]*`)/;
const CUT_NOTE = "\n\n*This text was too long for a new item and was cut here; the backup holds all of it.*";

/**
 * Prepends a line with the author and time to a restored text, because the platform shows the restoring account as
 * its author. The text notifies no one: outside code, mentions and references to other projects are neutralised.
 *
 * @returns the text, and whether it was truncated
 */
export function quoteOriginal(
  origin: Origin,
  body: string | null,
  dialect: Dialect,
): { text: string; isCut: boolean } {
  const head = headline(origin, dialect);
  const whole = `${head}\n\n${quieten(body ?? "", dialect)}`.trimEnd();
  if (whole.length <= dialect.maxLength) return { text: whole, isCut: false };
  const room = dialect.maxLength - CUT_NOTE.length;
  // Do not split a surrogate pair.
  const end = /[\uD800-\uDBFF]/.test(whole[room - 1] ?? "") ? room - 1 : room;
  return { text: whole.slice(0, end) + CUT_NOTE, isCut: true };
}

/** Neutralises everything that notifies people or writes into another thing's history; leaves code unchanged. */
export function quieten(text: string, { quietPatterns }: Pick<Dialect, "quietPatterns">): string {
  return text
    .split(CODE)
    .map((piece, index) =>
      index % 2 === 1
        ? piece
        : quietPatterns.reduce(
            (quiet, { pattern, replacement }) => quiet.replace(pattern, replacement),
            piece,
          ),
    )
    .join("");
}

/** Formats an ISO time as "2 March 2026, 10:22 UTC"; returns invalid times unchanged. */
export function momentText(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  const text = new Intl.DateTimeFormat("en-GB", {
    timeZone: "UTC",
    day: "numeric",
    month: "long",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).format(date);
  return `${text.replace(" at ", ", ")} UTC`;
}

function headline({ author, at, url, facts = [] }: Origin, dialect: Dialect): string {
  const who = author === null ? "Somebody whose account is gone" : `**${author}**`;
  const when = at === null ? "" : ` on ${momentText(at)}`;
  const where = url === null ? "" : ` (${dialect.quietUrl(url)})`;
  const lines = [`${who} wrote this${when}${where}.`, ...facts];
  return lines.map((line) => `> ${quieten(line, dialect)}`).join("  \n");
}
