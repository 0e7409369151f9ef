import { useEffect, useState } from "react";
import { ApiError } from "#app/api/call-api.ts";
import type { RestoreQuestion } from "#connectors/contract/restore-question.ts";
import { fetchQuestions, type QuestionsQuery } from "./restore-calls.ts";

/** The questions of a restore. While they are fetched again, the previous ones stay visible. */
export type QuestionsState = {
  questions: readonly RestoreQuestion[];
  isLoading: boolean;
  /** Why they could not be fetched. The restore then uses the defaults. */
  failure: string | null;
  retry: () => void;
};

/**
 * Fetches the questions of a restore again whenever the query changes; null = the order is incomplete. A change of only
 * the place does not count as loading: the previous questions stay valid, and the server checks the answers again.
 */
export function useRestoreQuestions(query: QuestionsQuery | null): QuestionsState {
  const [state, setState] = useState<
    Pick<QuestionsState, "questions" | "failure"> & { about: string | null }
  >({
    ...{ about: null, questions: [], failure: null },
  });
  const [attempt, setAttempt] = useState(0);
  const key = JSON.stringify(query);
  const about = JSON.stringify({ ...query, placeId: null });
  // biome-ignore lint/correctness/useExhaustiveDependencies: -- a new attempt repeats the request
  useEffect(() => {
    const asked = JSON.parse(key) as QuestionsQuery | null;
    if (asked === null) return;
    const abort = new AbortController();
    fetchQuestions(asked, abort.signal).then(
      (questions) => setState({ about, questions, failure: null }),
      (error: unknown) => {
        if (error instanceof ApiError) setState({ about, questions: [], failure: error.message });
      },
    );
    return () => abort.abort();
  }, [key, attempt]);
  const { questions, failure } = state;
  const retry = () => {
    setState((before) => ({ ...before, about: null, failure: null }));
    setAttempt((count) => count + 1);
  };
  return { questions, isLoading: state.about !== about, failure, retry };
}
