import { queryOptions } from "@tanstack/react-query";
import { type CalledAccount, callPlatform, isOffered } from "#app/api/call-platform.ts";
import type { ApiError } from "#app/api/transport.ts";
import type { RestoreQuestion } from "#connectors/contract/restore-question.ts";
import type { PlaceView } from "#core/connections/views.ts";
import { type FetchedPlan, fetchRestorePlan, type PlanQuery } from "./fetch-restore-plan.ts";
import { fetchQuestions, fetchTargets, type QuestionsQuery, type RestoreTargets } from "./restore-calls.ts";

/** What the restore forms read. They show failures themselves. */

/** The plan of a restore; null = the order is incomplete. */
export const planQuery = (query: PlanQuery | null) =>
  queryOptions<FetchedPlan, ApiError>({
    queryKey: ["restore-plan", query],
    queryFn: ({ signal }) => fetchRestorePlan(query as PlanQuery, signal),
    enabled: query !== null,
  });

/** The questions of a restore; null = the order is incomplete. */
export const questionsQuery = (query: QuestionsQuery | null) =>
  queryOptions<readonly RestoreQuestion[], ApiError>({
    queryKey: ["restore-questions", query],
    queryFn: ({ signal }) => fetchQuestions(query as QuestionsQuery, signal),
    enabled: query !== null,
  });

/** The items and places that a version of the item may be restored into; null = none are wanted. */
export const targetsQuery = (itemId: string | null, name: string | null) =>
  queryOptions<RestoreTargets, ApiError>({
    queryKey: ["restore-targets", itemId, name],
    queryFn: ({ signal }) => fetchTargets({ itemId: itemId as string, name, signal }),
    enabled: itemId !== null,
  });

/** Every place of an account that a restore can go to; without an answer where the platform has no such call. */
export const restorePlacesQuery = (
  { platform, connectionId }: CalledAccount,
  kind: string,
  isWanted: boolean,
) =>
  queryOptions<PlaceView[], ApiError>({
    queryKey: ["restore-places", platform, connectionId, kind],
    queryFn: async ({ signal }) => {
      const call = { platform, connectionId, does: "list-restore-places", kind } as const;
      const { result } = await callPlatform(call, {}, { signal, isQuiet: true });
      return result.map(({ view }) => view);
    },
    enabled: isWanted && isOffered({ platform, does: "list-restore-places", kind }),
  });
