import { type Dialect, type Origin, quoteOriginal, ZERO_WIDTH } from "#connectors/toolkit/records/quote.ts";

/** Trello refuses longer descriptions and comments. */
export const LONGEST_TEXT = 16_384;

/** Rules that defuse Trello texts: `@name`, `@card` and `@board` in a comment notify people. */
const DIALECT: Dialect = {
  maxLength: LONGEST_TEXT,
  quietUrl: (url) => url,
  quietPatterns: [{ pattern: /(^|[^\w/`@])@(?=\w)/g, replacement: `$1@${ZERO_WIDTH}` }],
};

/** A comment with its author and date on top, because Trello shows the connected account as its author. */
export function quoteComment(origin: Origin, body: string): { text: string; isCut: boolean } {
  return quoteOriginal(origin, body, DIALECT);
}

/** A description with an appendix, cut to Trello's maximum length. */
export function withAppendix(text: string, appendix: string): { text: string; isCut: boolean } {
  const whole = text === "" ? appendix : `${text}\n\n${appendix}`;
  if (whole.length <= LONGEST_TEXT) return { text: whole, isCut: false };
  const room = Math.max(0, LONGEST_TEXT - appendix.length - 2);
  return { text: `${text.slice(0, room)}\n\n${appendix}`.slice(0, LONGEST_TEXT), isCut: true };
}
