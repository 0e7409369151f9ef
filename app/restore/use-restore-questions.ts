import { useRef } from "react";
import { useLastingQuery } from "#app/api/use-lasting-query.ts";
import type { RestoreQuestion } from "#connectors/contract/restore-question.ts";
import type { QuestionsQuery } from "./restore-calls.ts";
import { questionsQuery } from "./restore-queries.ts";

/** The questions of a restore. While they are fetched again, the previous ones stay visible. */
export type QuestionsState = {
  questions: readonly RestoreQuestion[];
  isLoading: boolean;
  /** Why they could not be fetched. The restore then uses the defaults. */
  failure: string | null;
  retry: () => void;
};

/**
 * The questions of a restore for the query; null = the order is incomplete. A change of only the place does not count as
 * loading: the previous questions stay valid, and the server checks the answers again.
 */
export function useRestoreQuestions(query: QuestionsQuery | null): QuestionsState {
  const { data, isLoading, error, refetch } = useLastingQuery(questionsQuery(query));
  const about = JSON.stringify({ ...query, placeId: null });
  const answered = useRef<string | null>(null);
  if (!isLoading) answered.current = error === null ? about : null;
  return {
    questions: error === null ? (data ?? NO_QUESTIONS) : NO_QUESTIONS,
    isLoading: isLoading && answered.current !== about,
    failure: error?.message ?? null,
    retry: refetch,
  };
}

const NO_QUESTIONS: readonly RestoreQuestion[] = [];
