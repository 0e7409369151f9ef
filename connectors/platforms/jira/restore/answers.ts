import { z } from "zod";
import type { RestoreOrder } from "#connectors/contract/platform-connector.ts";
import type { RestoreAnswers } from "#connectors/contract/restore-question.ts";

/** Names of the questions. Runs store answers by them. */
export const COLUMNS = "columns";
export const COMMENTS = "comments";
export const WORKLOGS = "worklogs";
export const WATCHERS = "watchers";
export const RESTRICTED = "restricted";
export const TEMPLATE = "template";
export const KEY = "key";

/** Jira's default rule for keys of projects: two to ten capital letters and digits, a letter first. */
export const LONGEST_KEY = 10;

const answersSchema = z.object({
  /** Names of columns of the target by ids of columns of the version; null = left out. Absent = by name and category. */
  [COLUMNS]: z.record(z.string(), z.string().nullable()).optional().catch(undefined),
  [COMMENTS]: z.boolean().catch(true),
  [WORKLOGS]: z.boolean().catch(true),
  [WATCHERS]: z.boolean().catch(false),
  [RESTRICTED]: z.boolean().catch(false),
  [TEMPLATE]: z.string().catch(""),
  [KEY]: z.string().catch(""),
});
export type Answers = z.output<typeof answersSchema>;

/** Parses the answers of an order; what is missing or unknown is the default. */
export function readAnswers({ answers }: Pick<RestoreOrder, "answers">): Answers {
  return answersSchema.parse(answers);
}

/** A pair of the wire's `matchedColumns` (spec P-166). */
export const matchedColumnSchema = z.strictObject({
  backedUpProjectColumn: z.strictObject({ transitionId: z.string().max(40), name: z.string().max(255) }),
  restoredProjectColumn: z.strictObject({ name: z.string().max(255) }),
});
export type MatchedColumn = z.output<typeof matchedColumnSchema>;

/**
 * The answer to the matching from `matchedColumns` of `POST restore-projects` (P-380). A column that the list does not
 * name is left out: that is how the wire says "I don't want to match all or some of columns" (P-246). Without the list
 * nothing is answered, and the proposal applies.
 *
 * @param left Ids of the version's columns: the question's `left`.
 */
export function answersOfMatch(
  matched: readonly MatchedColumn[] | undefined,
  left: readonly { id: string }[],
): RestoreAnswers {
  if (matched === undefined) return {};
  const names = new Map(
    matched.map(({ backedUpProjectColumn, restoredProjectColumn }) => [
      backedUpProjectColumn.transitionId,
      restoredProjectColumn.name,
    ]),
  );
  return { [COLUMNS]: Object.fromEntries(left.map(({ id }) => [id, names.get(id) ?? null])) };
}
