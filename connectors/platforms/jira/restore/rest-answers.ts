import { z } from "zod";
import { adfSchema } from "../record-types.ts";

/** Jira's answers to the calls of a restore. Members that are not named here are dropped. */

export const id = z.union([z.string(), z.number()]).transform(String);
export const text = z
  .string()
  .nullish()
  .transform((value) => value ?? null);
export const listOf = <S extends z.ZodType>(schema: S) =>
  z
    .array(schema)
    .nullish()
    .transform((value) => value ?? []);
export const adf = adfSchema
  .nullish()
  .catch(null)
  .transform((value) => value ?? null);

export const project = z.object({
  id,
  key: z.string(),
  name: z.string(),
  description: text,
  projectTypeKey: z.string().catch(""),
  style: text,
});
export const named = z.object({ id, name: z.string() });
export const made = z.object({ id, key: z.string() });
const allowed = z.object({
  id,
  name: z.string().optional(),
  value: z.string().optional(),
  children: listOf(z.object({ id, value: z.string().optional() })),
});
export const createField = z.object({
  fieldId: z.string(),
  name: z.string(),
  required: z.boolean().catch(false),
  schema: z
    .object({ type: z.string(), items: z.string().optional(), custom: z.string().optional() })
    .nullish()
    .transform((schema) => schema ?? { type: "any" }),
  // A field may allow things without ids, such as projects by key; they are not options.
  allowedValues: listOf(z.unknown()).transform((values) =>
    values.flatMap((value) => {
      const parsed = allowed.safeParse(value);
      return parsed.success ? [parsed.data] : [];
    }),
  ),
});
/** A transition; its fields are named by their ids, without a `fieldId` in each. */
export const transitionScreen = z.object({
  id,
  fields: z.record(z.string(), createField.omit({ fieldId: true })).nullish(),
});
export const createType = z.object({
  id,
  name: z.string(),
  subtask: z.boolean().catch(false),
  hierarchyLevel: z.number().optional(),
});
export const statusesOfType = z.object({
  statuses: z.array(
    z.object({ id, name: z.string(), statusCategory: z.object({ key: z.string() }).nullish() }),
  ),
});
export const workflows = z.object({
  statuses: listOf(z.object({ id, statusReference: z.string() })),
  workflows: z.array(
    z.object({
      transitions: z.array(
        z.object({
          id,
          type: z.string(),
          toStatusReference: text,
          links: listOf(z.object({ fromStatusReference: text })),
        }),
      ),
    }),
  ),
});
export const foundIssue = z.object({
  id,
  key: z.string(),
  properties: z.record(z.string(), z.json()).nullish(),
  fields: z.object({
    summary: text,
    status: z.object({ id }).nullish(),
    issuetype: z.object({ name: z.string() }).nullish(),
    resolution: z.object({ name: z.string() }).nullish(),
    attachment: listOf(z.object({ id, filename: z.string(), size: z.number().catch(0) })),
    comment: z.object({ total: z.number() }).nullish(),
  }),
});
export const problems = z.object({
  errorMessages: listOf(z.string()),
  errors: z.record(z.string(), z.string()).nullish(),
});
export const bulkAnswer = z.object({
  issues: z.array(made),
  errors: listOf(z.object({ failedElementNumber: z.number(), elementErrors: problems })),
});
