/** Who wrote a text, when, and where the original stands. */
export type Origin = {
  /** The writer's login or name; null = the account is gone. */
  author: string | null;
  /** ISO 8601; null = unknown. */
  at: string | null;
  /** Page of the original. */
  url: string | null;
  /** What else a reader should know, e.g. "closed on 2 March 2026". */
  facts?: readonly string[];
};

/** What is peculiar to a platform's texts. */
export type Dialect = {
  /** The largest text that the platform takes, in UTF-16 units. */
  maxLength: number;
  /** Makes an address harmless: a link to an original must not write "mentioned here" into its history. */
  quietUrl: (url: string) => string;
  /** Texts that would notify somebody or write into another thing's history, with a replacement that reads the same. */
  quietPatterns: readonly { pattern: RegExp; replacement: string }[];
};

/** Nobody sees it, and no platform reads a mention across it. */
export const ZERO_WIDTH = "\u200b";
/** Code is shown as it is and notifies nobody. */
const CODE = /(```[\s\S]*?(?:```|$)|~~~[\s\S]*?(?:~~~|$)|`[^`\n]*`)/;
const CUT_NOTE = "\n\n*This text was too long for a new item and was cut here; the backup holds all of it.*";

/**
 * A restored text with a line on top that tells who wrote it and when, because a platform names the restoring account as
 * its author. The text itself notifies nobody: mentions and references to other projects are made silent outside code.
 *
 * @returns the text, and whether it had to be cut
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
  // Never half of a character that takes two units.
  const end = /[\uD800-\uDBFF]/.test(whole[room - 1] ?? "") ? room - 1 : room;
  return { text: whole.slice(0, end) + CUT_NOTE, isCut: true };
}

/** The text without anything that notifies people or writes into the history of another thing; code stays untouched. */
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

/** "2 March 2026, 10:22 UTC" of an ISO time; the text itself when it is none. */
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
