import { type Dialect, type Origin, quoteOriginal, ZERO_WIDTH } from "#connectors/toolkit/records/quote.ts";

/** Trello refuses longer descriptions and comments. */
export const LONGEST_TEXT = 16_384;

/** Texts of Trello made silent: `@name`, `@card` and `@board` in a comment notify people. */
const DIALECT: Dialect = {
  maxLength: LONGEST_TEXT,
  quietUrl: (url) => url,
  quietPatterns: [{ pattern: /(^|[^\w/`@])@(?=\w)/g, replacement: `$1@${ZERO_WIDTH}` }],
};

/** A comment with a line on top that says who wrote it and when, because Trello gives it to the connected account. */
export function quoteComment(origin: Origin, body: string): { text: string; isCut: boolean } {
  return quoteOriginal(origin, body, DIALECT);
}

/** A description with something added, cut where Trello would refuse it. */
export function withAppendix(text: string, appendix: string): { text: string; isCut: boolean } {
  const whole = text === "" ? appendix : `${text}\n\n${appendix}`;
  if (whole.length <= LONGEST_TEXT) return { text: whole, isCut: false };
  const room = Math.max(0, LONGEST_TEXT - appendix.length - 2);
  return { text: `${text.slice(0, room)}\n\n${appendix}`.slice(0, LONGEST_TEXT), isCut: true };
}
