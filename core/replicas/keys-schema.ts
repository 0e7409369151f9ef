import { z } from "zod";
import type { StorageKeyField } from "#connectors/contract/storage-descriptor.ts";

/** The form of a storage that is connected by keys, as its descriptor describes it (spec P-274 to P-278). */
export function keysSchemaOf(fields: readonly StorageKeyField[]) {
  return z.strictObject(Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field)])));
}

function fieldSchema({ label, minLength, maxLength, options, rule }: StorageKeyField) {
  const text = z
    .string({ error: `${label} is required` })
    .trim()
    .min(1, `${label} is required`)
    .min(minLength, `${label} has at least ${minLength} characters`)
    .max(maxLength, `${label} has at most ${maxLength} characters`);
  if (options) {
    const values = options.map(({ value }) => value);
    return text.refine((value) => values.includes(value), `${label} is not one of the list`);
  }
  return rule ? text.regex(new RegExp(`^(?:${rule.pattern})$`), rule.message) : text;
}
