import { z } from "zod";
import {
  listRestoreQuestions,
  listRestoreTargets,
  planRestore,
  requestRestore,
} from "#core/restores/index.ts";
import { type Api, mountRoute } from "../mount-route.ts";
import { ASKS_PLATFORM, MANAGE } from "../platform-operation.ts";
import { planAnswer, questionsAnswer, targetsAnswer } from "../restore-answers.ts";
import { READS_VERSION } from "../version-answers.ts";
import { answersField, optional, pathText, wireId, wireText } from "../wire-fields.ts";

const tag = "Versions";
const PLANS = [...READS_VERSION, ...ASKS_PLATFORM] as const;

const version = { itemId: wireId, snapshotId: wireId };
/** Names of the switches that are on: `a,b`. */
const switches = wireText(500)
  .nullish()
  .transform((text) =>
    Object.fromEntries(
      (text ?? "").split(",").flatMap((name) => (name.trim() === "" ? [] : [[name.trim(), true] as const])),
    ),
  );
/** Answers to questions of any type, as JSON in the query. */
const answersText = z
  .string()
  .max(12_000)
  .nullish()
  .transform((text, context) => {
    try {
      return JSON.parse(text ?? "{}") as unknown;
    } catch {
      context.addIssue("is no JSON");
      return z.NEVER;
    }
  })
  .pipe(answersField);
/** The platform's id of the target item; absent = a new one. */
const into = optional(wireId).transform((externalId) => (externalId === null ? null : { externalId }));

/** Mounts the calls about restores: plan, questions, targets, and the restore of a part. */
export function mountRestores(api: Api): void {
  mountPlans(api);
  mountChoices(api);
  mountPartRestore(api);
}

function mountPlans(api: Api): void {
  mountRoute(api, {
    method: "GET",
    path: "/versions/restore-plan",
    summary:
      "What a restore of a version would create, what it could not, and what it costs in calls and time",
    tag,
    input: z.strictObject({
      ...version,
      path: optional(pathText),
      into,
      options: switches,
      answers: answersText,
      placeId: optional(wireText(200)),
    }),
    result: planAnswer,
    refuses: PLANS,
    handle: async (s, m, { path, options, answers, ...order }) => ({
      result: await planRestore(s, m, { ...order, part: path, answers: { ...options, ...answers } }),
    }),
  });
  mountRoute(api, {
    method: "GET",
    path: "/versions/restore-part-plan",
    summary: "What a restore of one part of a version would create, what it could not, and what it costs",
    tag,
    input: z.strictObject({
      ...version,
      path: pathText,
      /** `new` = into a new item; `existing` = into the version's own item. */
      into: z.enum(["new", "existing"]).default("existing"),
    }),
    result: planAnswer,
    refuses: PLANS,
    handle: async (s, m, { path, into, ...order }) => ({
      result: await planRestore(s, m, {
        ...order,
        part: path,
        into: into === "new" ? null : { externalId: null },
        placeId: null,
        answers: {},
      }),
    }),
  });
}

/** What a person chooses before a restore: answers to questions, and the target. */
function mountChoices(api: Api): void {
  mountRoute(api, {
    method: "GET",
    path: "/versions/restore-questions",
    summary: "What has to be decided before a restore of a version, or of one part of it, into a target",
    tag,
    input: z.strictObject({
      ...version,
      path: optional(pathText),
      into,
      placeId: optional(wireText(200)),
    }),
    result: questionsAnswer,
    refuses: [...MANAGE, ...PLANS],
    handle: async (s, m, { path, ...order }) => ({
      result: { questions: await listRestoreQuestions(s, m, { ...order, part: path }) },
    }),
  });
  mountRoute(api, {
    method: "GET",
    path: "/versions/restore-targets",
    summary: "Items of the account that a version may be restored into, and places for a new one",
    tag,
    input: z.strictObject({
      itemId: wireId,
      name: optional(wireText(100)),
      page: z.coerce.number().int().min(0).max(1_000).default(0),
    }),
    result: targetsAnswer,
    refuses: [...MANAGE, ...ASKS_PLATFORM],
    handle: async (s, m, order) => ({ result: await listRestoreTargets(s, m, order) }),
  });
}

function mountPartRestore(api: Api): void {
  mountRoute(api, {
    method: "POST",
    path: "/versions/restore-part",
    summary:
      "Restore one part of a version: into an item of the account, to which it is added, or into a new one",
    tag,
    input: z.strictObject({
      ...version,
      path: pathText,
      into,
      name: optional(wireText(300)),
      /** The place of a new item. */
      place: optional(wireId),
      options: answersField.default({}),
      emails: z.array(wireText(254)).max(10).default([]),
    }),
    result: z.object({ runId: z.string() }),
    refuses: [...MANAGE, ...READS_VERSION, ...ASKS_PLATFORM, "err.item.busy", "err.restore.name"],
    handle: async (s, m, { path, place, options, ...wish }) => ({
      result: await requestRestore(s, m, {
        ...wish,
        part: path,
        place: place === null ? null : { externalId: place },
        answers: options,
      }),
    }),
  });
}
