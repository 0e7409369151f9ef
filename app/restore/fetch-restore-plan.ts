import { callApi, type ResultOf } from "#app/api/call-api.ts";
import type { RestoreAnswers } from "#connectors/contract/restore-question.ts";

/** The plan of a restore. */
export type FetchedPlan = ResultOf<"GET versions/restore-plan">;

/** Query of a restore plan. Equal queries have the same plan. */
export type PlanQuery = {
  itemId: string;
  snapshotId: string;
  /** Path of the only entry to restore; null = the whole version. */
  path: string | null;
  /** The platform's id of the target item; null = a new one. */
  into: string | null;
  /** The platform's id of the place of a new item. */
  placeId: string | null;
  options: string | null;
  answers: string | null;
};

/** Encodes answers for a query: the names of the switches that are on, and all others as JSON. */
export function answersInQuery(answers: RestoreAnswers): Pick<PlanQuery, "options" | "answers"> {
  const names = Object.keys(answers).filter((name) => answers[name] === true);
  const others = Object.entries(answers).filter(([, answer]) => typeof answer !== "boolean");
  const text = JSON.stringify(Object.fromEntries(others));
  return {
    options: names.length > 0 ? names.sort().join(",") : null,
    // URLs have a length limit. Without these answers the plan uses the defaults.
    answers: others.length > 0 && text.length <= LONGEST_ANSWERS ? text : null,
  };
}

const LONGEST_ANSWERS = 12_000;

/** Fetches the plan of a restore. The caller shows failures. @throws {ApiError} */
export async function fetchRestorePlan(query: PlanQuery, signal?: AbortSignal): Promise<FetchedPlan> {
  return (await callApi("GET versions/restore-plan", query, { isQuiet: true, signal })).result;
}
