import { hasField } from "#app/api/call-platform.ts";
import type { RestoreAnswers, RestoreQuestion } from "#connectors/contract/restore-question.ts";
import { matchesOfAnswer, type NamedMatch } from "#core/restores/restore-answers.schema.ts";

/** The answers of one restore, as its request carries them. */
export type AnswersOnWire = { options: RestoreAnswers; matches?: NamedMatch[] };

/**
 * Splits the answers for a platform whose request names matched things, as Jira's does its columns (spec P-166). On all
 * other platforms every answer is an option.
 */
export function answersOnWire(
  { platform, kind }: { platform: string; kind: string },
  questions: readonly RestoreQuestion[],
  answers: RestoreAnswers,
): AnswersOnWire {
  const matching = questions.find((question) => question.type === "matching");
  if (matching === undefined || !hasField({ platform, does: "restore-items", kind }, "matches"))
    return { options: answers };
  const { [matching.name]: matched, ...options } = answers;
  return { options, matches: matchesOfAnswer(matching, matched) };
}
