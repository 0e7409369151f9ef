import { callApi, type ResultOf } from "#app/api/call-api.ts";
import type { RestoreAnswers, RestoreQuestion } from "#connectors/contract/restore-question.ts";

/** Possible targets of a restore. */
export type RestoreTargets = ResultOf<"GET versions/restore-targets">;

/** Fetches the possible targets of a restore. The caller shows failures. @throws {ApiError} */
export async function fetchTargets(order: {
  itemId: string;
  name: string | null;
  signal: AbortSignal;
}): Promise<RestoreTargets> {
  const { itemId, name, signal } = order;
  return (await callApi("GET versions/restore-targets", { itemId, name }, { isQuiet: true, signal })).result;
}

/** Query of the questions of a restore. */
export type QuestionsQuery = {
  itemId: string;
  snapshotId: string;
  /** Path of the only entry to restore; null = the whole version. */
  path: string | null;
  /** The platform's id of the target item; null = a new one. */
  into: string | null;
  placeId: string | null;
};

/** Fetches the questions of a restore. The caller shows failures. @throws {ApiError} */
export async function fetchQuestions(
  query: QuestionsQuery,
  signal: AbortSignal,
): Promise<readonly RestoreQuestion[]> {
  const { result } = await callApi("GET versions/restore-questions", query, { isQuiet: true, signal });
  return result.questions as readonly RestoreQuestion[];
}

/** Starts the restore of a part. The dialog shows failures itself. @throws {ApiError} */
export async function startPartRestore(order: {
  itemId: string;
  snapshotId: string;
  path: string;
  into: string | null;
  name: string | null;
  place: string | null;
  options: RestoreAnswers;
  emails: readonly string[];
}): Promise<void> {
  const { into, name, place, emails, ...part } = order;
  const input = {
    ...part,
    emails: [...emails],
    ...(into !== null && { into }),
    ...(name !== null && { name }),
    ...(place !== null && { place }),
  };
  await callApi("POST versions/restore-part", input, { isQuiet: true });
}
