import * as z from "zod/mini";
import { callApi } from "#app/api/call-api.ts";
import type { RestoreAnswers } from "#connectors/contract/restore-question.ts";

const lines = z.array(z.object({ what: z.string(), reason: z.string() }));
const cost = {
  calls: z.number(),
  creations: z.number(),
  bytes: z.number(),
  durationMs: z.number(),
};
const planSchema = z.object({
  creates: z.array(z.object({ kind: z.string(), count: z.number(), one: z.string(), many: z.string() })),
  isEstimate: z.boolean(),
  changed: lines,
  impossible: lines,
  missing: lines,
  cost: z.object(cost),
  slower: z.nullable(z.object({ ...cost, reason: z.string() })),
  pausedUntil: z.nullable(z.number()),
});

/** The plan of a restore, as the screens use it. */
export type FetchedPlan = z.output<typeof planSchema>;

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
  const call = { query, schema: planSchema, isQuiet: true, signal };
  return (await callApi("versions/restore-plan", call)).result;
}
