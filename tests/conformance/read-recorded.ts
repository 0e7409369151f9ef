import type { z } from "zod";

/** A recorded answer: what was asked, e.g. `GET /user`, and its body. */
export type RecordedAnswer = { call: string; body: unknown };
/** What becomes of the answers to some calls: our parser of them, or the reason why we have none. */
export type Reading = readonly [calls: RegExp, parser: z.ZodType | string];

/**
 * Sends recorded answers through our parsers; the first row that fits a call counts.
 * @param parse how an answer is parsed; absent = its body as it is
 * @returns faults: an answer that its parser refuses, a call that no row has, a row that no call needs
 */
export async function faultsOfReading(
  answers: readonly RecordedAnswer[],
  readings: readonly Reading[],
  parse = async (answer: RecordedAnswer, parser: z.ZodType): Promise<unknown> => parser.parse(answer.body),
): Promise<string[]> {
  const faults = new Set<string>();
  const used = new Set<Reading>();
  for (const answer of answers) {
    const reading = readings.find(([calls]) => calls.test(answer.call));
    if (reading === undefined) {
      faults.add(`${answer.call}: neither a parser nor a reason`);
      continue;
    }
    used.add(reading);
    const [, parser] = reading;
    if (typeof parser === "string") continue;
    try {
      await parse(answer, parser);
    } catch (error) {
      faults.add(`${answer.call}: ${String(error).slice(0, 300)}`);
    }
  }
  for (const reading of readings) if (!used.has(reading)) faults.add(`${reading[0]}: no recording needs it`);
  return [...faults];
}
