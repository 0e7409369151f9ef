import { z } from "zod";
import type { StorageKeyField } from "#connectors/contract/storage-descriptor.ts";

/** Builds the form schema of a storage with keys from its descriptor (spec P-274 to P-278). */
export function keysSchemaOf(fields: readonly StorageKeyField[]) {
  return z.strictObject(Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field)])));
}

/** Typed values may become part of a header, which allows only visible ASCII. */
const VISIBLE_ASCII = /^[\x21-\x7e]*$/;

function fieldSchema({ label, minLength, maxLength, options, rule, isSecret }: StorageKeyField) {
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
  if (rule) return text.regex(new RegExp(`^(?:${rule.pattern})$`), rule.message);
  return isSecret ? text.regex(VISIBLE_ASCII, `${label} holds characters that are not allowed`) : text;
}
