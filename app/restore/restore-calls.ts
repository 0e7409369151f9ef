import * as z from "zod/mini";
import { callApi } from "#app/api/call-api.ts";
import type { RestoreAnswers, RestoreQuestion } from "#connectors/contract/restore-question.ts";
import { placeViewSchema } from "./place-view.schema.ts";

const targetsSchema = z.object({
  items: z.array(
    z.object({ externalId: z.string(), name: z.string(), fullName: z.string(), isSource: z.boolean() }),
  ),
  hasMore: z.boolean(),
  places: z.array(placeViewSchema),
});

/** Possible targets of a restore. */
export type RestoreTargets = z.output<typeof targetsSchema>;

/** Fetches the possible targets of a restore. The caller shows failures. @throws {ApiError} */
export async function fetchTargets(order: {
  itemId: string;
  name: string | null;
  signal: AbortSignal;
}): Promise<RestoreTargets> {
  const { itemId, name, signal } = order;
  const { result } = await callApi("versions/restore-targets", {
    query: { itemId, name },
    schema: targetsSchema,
    isQuiet: true,
    signal,
  });
  return result;
}

const asked = { name: z.string(), label: z.string(), help: z.string() };
const things = z.array(z.object({ id: z.string(), label: z.string(), note: z.optional(z.string()) }));
const questionsSchema = z.object({
  questions: z.array(
    z.discriminatedUnion("type", [
      z.object({ type: z.literal("switch"), ...asked, default: z.boolean() }),
      z.object({
        type: z.literal("choice"),
        ...asked,
        options: z.array(z.object({ value: z.string(), label: z.string(), help: z.optional(z.string()) })),
        default: z.nullable(z.string()),
      }),
      z.object({ type: z.literal("text"), ...asked, maxLength: z.number(), default: z.string() }),
      z.object({
        type: z.literal("matching"),
        ...asked,
        things: z.object({ one: z.string(), many: z.string() }),
        left: things,
        right: things,
        default: z.record(z.string(), z.nullable(z.string())),
        suggested: z.array(z.string()),
        isRequired: z.boolean(),
      }),
    ]),
  ),
});

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
  const call = { query, schema: questionsSchema, isQuiet: true, signal };
  const { result } = await callApi("versions/restore-questions", call);
  // The schema types a missing `note` as undefined.
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
  const body = Object.fromEntries(Object.entries(order).filter(([, value]) => value !== null));
  await callApi("versions/restore-part", { method: "POST", body, isQuiet: true });
}
