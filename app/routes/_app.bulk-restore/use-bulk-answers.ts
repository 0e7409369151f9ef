import { useMemo, useState } from "react";
import { useLastingQuery } from "#app/api/use-lasting-query.ts";
import {
  answersFor,
  type BulkChoices,
  type BulkQuestions,
  bulkAnswersReason,
} from "#app/bulk/bulk-answers.ts";
import type { BulkItem } from "#app/bulk/bulk-items.schema.ts";
import { bulkCopy as copy } from "#app/copy/bulk-restore.ts";
import type { QuestionsQuery } from "#app/restore/restore-calls.ts";
import type {
  RestoreAnswer,
  RestoreAnswers,
  RestoreQuestion,
} from "#connectors/contract/restore-question.ts";
import { bulkQuestionsQuery } from "./bulk-queries.ts";

/** The questions of all restores and their answers. */
export type BulkAnswersState = {
  questions: BulkQuestions;
  isLoading: boolean;
  /** Why they could not be fetched. The restores then use the defaults. */
  failure: string | null;
  retry: () => void;
  answersOf: (itemId: string) => RestoreAnswers;
  questionsOf: (itemId: string) => readonly RestoreQuestion[];
  /** Why the answers are incomplete; null = they are complete. */
  reason: string | null;
  answerAll: (name: string, answer: RestoreAnswer) => void;
  /** What was chosen so far. */
  chosen: BulkChoices;
  /** Replaces what was chosen per item. */
  chooseOwn: (own: BulkChoices["own"]) => void;
};

const NO_QUESTIONS: BulkQuestions = { shared: [], own: new Map() };

/** Fetches the questions of every restore when `isShown`. Answers survive going back a step. */
export function useBulkAnswers(
  items: readonly BulkItem[],
  { isShown, isIntoExisting, placeId }: { isShown: boolean; isIntoExisting: boolean; placeId: string | null },
): BulkAnswersState {
  const [chosen, setChosen] = useState<BulkChoices>({ shared: {}, own: {} });
  const queries = items.map(
    ({ id, ver, name }): QuestionsQuery => ({
      ...{ itemId: id, snapshotId: ver, path: null, placeId },
      into: isIntoExisting ? name : null,
    }),
  );
  const asked = useLastingQuery({ ...bulkQuestionsQuery(queries), enabled: isShown });
  const { isLoading } = asked;
  const failure = asked.error?.message ?? null;
  const questions = failure === null ? (asked.data ?? NO_QUESTIONS) : NO_QUESTIONS;
  return {
    questions,
    isLoading,
    failure,
    retry: asked.refetch,
    answersOf: (itemId) => answersFor(questions, chosen, itemId),
    questionsOf: (itemId) => [...questions.shared, ...(questions.own.get(itemId) ?? [])],
    reason: useMemo(() => {
      if (isLoading) return copy.reasons.questions;
      return failure === null ? bulkAnswersReason(questions, chosen) : null;
    }, [questions, chosen, isLoading, failure]),
    answerAll: (name, answer) =>
      setChosen((before) => ({ ...before, shared: { ...before.shared, [name]: answer } })),
    chosen,
    chooseOwn: (own) => setChosen((before) => ({ ...before, own })),
  };
}
