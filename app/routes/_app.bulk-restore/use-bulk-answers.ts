import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { ApiError } from "#app/api/call-api.ts";
import {
  answersFor,
  type BulkChoices,
  type BulkQuestions,
  bulkAnswersReason,
  partQuestions,
} from "#app/bulk/bulk-answers.ts";
import type { BulkItem } from "#app/bulk/bulk-items.schema.ts";
import { severalAtOnce } from "#app/bulk/several-at-once.ts";
import { bulkCopy as copy } from "#app/copy/bulk-restore.ts";
import { fetchQuestions, type QuestionsQuery } from "#app/restore/restore-calls.ts";
import type { RestoreAnswer, RestoreAnswers } from "#connectors/contract/restore-question.ts";

/** The questions of all restores and their answers. */
export type BulkAnswersState = {
  questions: BulkQuestions;
  isLoading: boolean;
  /** Why they could not be fetched. The restores then use the defaults. */
  failure: string | null;
  retry: () => void;
  answersOf: (itemId: string) => RestoreAnswers;
  /** Why the answers are incomplete; null = they are complete. */
  reason: string | null;
  answerAll: (name: string, answer: RestoreAnswer) => void;
  answerOne: (itemId: string, name: string, answer: RestoreAnswer) => void;
};

const NO_QUESTIONS: BulkQuestions = { shared: [], own: new Map() };

/** Fetches the questions of every restore when `isShown`. Answers survive going back a step. */
export function useBulkAnswers(
  items: readonly BulkItem[],
  { isShown, isIntoExisting, placeId }: { isShown: boolean; isIntoExisting: boolean; placeId: string | null },
): BulkAnswersState {
  const [asked, setAsked] = useState({
    questions: NO_QUESTIONS,
    isLoading: true,
    failure: null as string | null,
  });
  const [chosen, setChosen] = useState<BulkChoices>({ shared: {}, own: {} });
  const [attempt, setAttempt] = useState(0);
  /** The queries that `asked.questions` answer. */
  const answered = useRef<string | null>(null);
  const queries = items.map(
    ({ id, ver, name }): QuestionsQuery => ({
      ...{ itemId: id, snapshotId: ver, path: null, placeId },
      into: isIntoExisting ? name : null,
    }),
  );
  const key = isShown ? JSON.stringify(queries) : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: -- a new attempt repeats the requests
  useEffect(() => {
    if (key === null) return;
    if (key === answered.current) return setAsked((before) => ({ ...before, isLoading: false }));
    const wanted = JSON.parse(key) as QuestionsQuery[];
    const abort = new AbortController();
    setAsked((before) => ({ ...before, isLoading: true, failure: null }));
    severalAtOnce(wanted, (query) => fetchQuestions(query, abort.signal)).then(
      (all) => {
        const byItem = new Map(wanted.map(({ itemId }, at) => [itemId, all[at] ?? []]));
        answered.current = key;
        setAsked({ questions: partQuestions(byItem), isLoading: false, failure: null });
      },
      (error: unknown) => {
        if (!(error instanceof ApiError)) return;
        answered.current = null;
        setAsked({ questions: NO_QUESTIONS, isLoading: false, failure: error.message });
      },
    );
    return () => abort.abort();
  }, [key, attempt]);
  const { questions, isLoading, failure } = asked;
  return {
    ...asked,
    retry: useCallback(() => setAttempt((count) => count + 1), []),
    answersOf: (itemId) => answersFor(questions, chosen, itemId),
    reason: useMemo(() => {
      if (isLoading) return copy.reasons.questions;
      return failure === null ? bulkAnswersReason(questions, chosen) : null;
    }, [questions, chosen, isLoading, failure]),
    answerAll: (name, answer) =>
      setChosen((before) => ({ ...before, shared: { ...before.shared, [name]: answer } })),
    answerOne: (itemId, name, answer) =>
      setChosen((before) => ({
        ...before,
        own: { ...before.own, [itemId]: { ...before.own[itemId], [name]: answer } },
      })),
  };
}
