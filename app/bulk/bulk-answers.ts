import { answersReason } from "#app/restore/restore-form.ts";
import type { RestoreAnswers, RestoreQuestion } from "#connectors/contract/restore-question.ts";
import { completeAnswers, faultOf } from "#core/restores/restore-answers.schema.ts";

/** Questions of several restores. Questions that are equal for all items are asked once, but a matching for each. */
export type BulkQuestions = {
  shared: readonly RestoreQuestion[];
  /** The remaining questions, by item id. */
  own: ReadonlyMap<string, readonly RestoreQuestion[]>;
};

/** The answers chosen so far: for all items, and per item id. */
export type BulkChoices = {
  shared: RestoreAnswers;
  own: Readonly<Record<string, RestoreAnswers>>;
};

/** Splits the questions of several items into shared ones and the remaining ones per item. */
export function partQuestions(byItem: ReadonlyMap<string, readonly RestoreQuestion[]>): BulkQuestions {
  const [first = [], ...others] = byItem.values();
  const texts = others.map((questions) => new Set(questions.map((question) => JSON.stringify(question))));
  const shared = first.filter(
    (question) => question.type !== "matching" && texts.every((set) => set.has(JSON.stringify(question))),
  );
  const names = new Set(shared.map(({ name }) => name));
  const own = [...byItem].map(
    ([id, questions]) => [id, questions.filter(({ name }) => !names.has(name))] as const,
  );
  return { shared, own: new Map(own) };
}

/**
 * The complete answers for one item. What was chosen stays when other items come or go, and a question becomes one of
 * all items or of one.
 */
export function answersFor(
  { shared, own }: BulkQuestions,
  chosen: BulkChoices,
  itemId: string,
): RestoreAnswers {
  return {
    ...completeAnswers(shared, { ...chosen.own[itemId], ...chosen.shared }),
    ...completeAnswers(own.get(itemId) ?? [], { ...chosen.shared, ...chosen.own[itemId] }),
  };
}

/** Returns why the answers are incomplete, for the first such item; null = they are complete. */
export function bulkAnswersReason(questions: BulkQuestions, chosen: BulkChoices): string | null {
  for (const [id, own] of questions.own) {
    const reason = answersReason([...questions.shared, ...own], answersFor(questions, chosen, id));
    if (reason !== null) return reason;
  }
  return null;
}

/** Counts the open decisions among an item's own questions. */
export function progressOf(
  questions: readonly RestoreQuestion[],
  answers: RestoreAnswers,
): { open: number; all: number; isMatching: boolean } {
  let [open, all] = [0, 0];
  for (const question of questions) {
    const fault = faultOf(question, answers);
    open += fault?.kind === "open" ? fault.count : fault === null ? 0 : 1;
    all += question.type === "matching" ? question.left.length : 1;
  }
  return { open, all, isMatching: questions.every(({ type }) => type === "matching") };
}
