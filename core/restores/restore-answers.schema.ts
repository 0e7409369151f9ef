import type {
  RestoreAnswer,
  RestoreAnswers,
  RestoreQuestion,
} from "#connectors/contract/restore-question.ts";

/* The form and the server share these rules. */

/** What is wrong with an answer: decisions that are open, or a text that is too long. */
export type AnswerFault = { kind: "open"; count: number } | { kind: "too-long"; most: number };

/**
 * Returns an answer per question: the chosen one, or the default if it is missing or the question does not offer it.
 * Drops answers without a question. A required choice or match without a default stays missing.
 */
export function completeAnswers(
  questions: readonly RestoreQuestion[],
  chosen: RestoreAnswers,
): Record<string, RestoreAnswer> {
  const answers = questions.map((question) => [question.name, answerTo(question, chosen[question.name])]);
  return Object.fromEntries(answers.filter(([, answer]) => answer !== null));
}

/** Returns what is wrong with the answer to a question among complete answers; null = nothing. */
export function faultOf(question: RestoreQuestion, answers: RestoreAnswers): AnswerFault | null {
  const answer = answers[question.name];
  switch (question.type) {
    case "switch":
      return null;
    case "choice":
      return answer === undefined ? { kind: "open", count: 1 } : null;
    case "text": {
      const length = typeof answer === "string" ? answer.length : 0;
      return length > question.maxLength ? { kind: "too-long", most: question.maxLength } : null;
    }
    case "matching": {
      const count = openThings(question, answers).length;
      return count > 0 ? { kind: "open", count } : null;
    }
    default:
      return question satisfies never;
  }
}

/** Returns the undecided ids on the left of a matching. */
export function openThings(
  { name, left, isRequired }: Extract<RestoreQuestion, { type: "matching" }>,
  answers: RestoreAnswers,
): string[] {
  if (!isRequired) return [];
  const matched = matchesOf(answers[name]);
  return left.flatMap(({ id }) => (Object.hasOwn(matched, id) ? [] : [id]));
}

/** Returns the answer to a matching: ids on the right by ids on the left. */
export function matchesOf(answer: RestoreAnswer | undefined): Readonly<Record<string, string | null>> {
  return typeof answer === "object" ? answer : {};
}

/** A match by names, as callers know the two entities. An entity that no match names is left out. */
export type NamedMatch = {
  /** `matchId` = its id on the left of the question; without one the name decides. */
  backedUp: { matchId?: string | undefined; name: string };
  restored: { name: string };
};

/**
 * Converts named matches to the answer of the first matching question (spec P-166). An entity of the version without a
 * match, or with one that the target lacks, is left out on purpose. Without such a question there is no answer.
 */
export function answersOfMatches(
  questions: readonly RestoreQuestion[],
  matches: readonly NamedMatch[],
): RestoreAnswers {
  const question = questions.find((each) => each.type === "matching");
  if (question === undefined) return {};
  const entries = question.left.map(({ id, label }) => {
    const match =
      matches.find(({ backedUp }) => backedUp.matchId === id) ??
      matches.find(({ backedUp }) => backedUp.matchId === undefined && backedUp.name === label);
    const right = match && question.right.find((each) => each.label === match.restored.name);
    return [id, right?.id ?? null] as const;
  });
  return { [question.name]: Object.fromEntries(entries) };
}

/** The inverse: the matches of a matching's complete answer, by names. Entities that are left out have none. */
export function matchesOfAnswer(
  question: Extract<RestoreQuestion, { type: "matching" }>,
  answer: RestoreAnswer | undefined,
): NamedMatch[] {
  const matched = matchesOf(answer);
  return question.left.flatMap(({ id, label }) => {
    const right = question.right.find((each) => each.id === matched[id]);
    return right ? [{ backedUp: { matchId: id, name: label }, restored: { name: right.label } }] : [];
  });
}

function answerTo(question: RestoreQuestion, chosen: RestoreAnswer | undefined): RestoreAnswer | null {
  switch (question.type) {
    case "switch":
      return typeof chosen === "boolean" ? chosen : question.default;
    case "choice":
      return question.options.find(({ value }) => value === chosen)?.value ?? question.default;
    case "text":
      return typeof chosen === "string" ? chosen : question.default;
    case "matching":
      return matchedBy(question, matchesOf(chosen));
    default:
      return question satisfies never;
  }
}

/**
 * Returns the chosen match of each entity, or else the default. If matching is optional, undecided ones become null.
 */
function matchedBy(
  { left, right, default: proposed, isRequired }: Extract<RestoreQuestion, { type: "matching" }>,
  chosen: Readonly<Record<string, string | null>>,
): Record<string, string | null> {
  const offered = new Set(right.map(({ id }) => id));
  const matches = left.flatMap(({ id }): [string, string | null][] => {
    const own = Object.hasOwn(chosen, id) ? chosen[id] : undefined;
    if (own === null || (own !== undefined && offered.has(own))) return [[id, own]];
    const fallback = Object.hasOwn(proposed, id) ? (proposed[id] ?? null) : null;
    return fallback !== null || !isRequired ? [[id, fallback]] : [];
  });
  return Object.fromEntries(matches);
}
