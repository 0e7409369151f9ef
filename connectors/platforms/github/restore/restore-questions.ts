import { z } from "zod";
import type { QuestionOrder, RestoreOrder, Session } from "#connectors/contract/platform-connector.ts";
import type { RestoreQuestion } from "#connectors/contract/restore-question.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";

const BRANCHES = {
  type: "switch",
  name: "pullRequestBranches",
  label: "Bring pull requests back as branches",
  help: "Creates a branch pr/N for the commits of each pull request.",
  default: false,
} as const satisfies RestoreQuestion;

const answersSchema = z.object({ [BRANCHES.name]: z.boolean().catch(BRANCHES.default) });

/** Returns the questions of a restored repository. Gists and parts have none. */
export async function restoreQuestions(
  _session: Session,
  snapshot: SnapshotView,
  { part }: QuestionOrder,
): Promise<readonly RestoreQuestion[]> {
  if (part !== null) return [];
  return (snapshot.counts().repository ?? 0) > 0 ? [BRANCHES] : [];
}

/** The parsed answers. */
export type Answers = z.output<typeof answersSchema>;

/** Parses the answers in an order. */
export function readAnswers({ answers }: Pick<RestoreOrder, "answers">): Answers {
  return answersSchema.parse(answers);
}
