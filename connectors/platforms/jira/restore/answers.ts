import { z } from "zod";
import type { RestoreOrder } from "#connectors/contract/platform-connector.ts";

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
