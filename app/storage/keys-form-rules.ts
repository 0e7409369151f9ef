import { storageCopy } from "#app/copy/storage.ts";
import type { StorageKeyField } from "#connectors/contract/storage-descriptor.ts";

const copy = storageCopy.form;

/** The typed values by field name. */
export type Keys = Readonly<Record<string, string>>;

/** What is wrong with one field (spec P-274 to P-278); null when it is valid. Whitespace around a value is ignored. */
export function keyFault(field: StorageKeyField, typed: string): string | null {
  const value = typed.trim();
  if (value === "") return copy.required;
  if (field.options) return field.options.some((option) => option.value === value) ? null : copy.required;
  if (value.length > field.maxLength) return copy.tooLong(field.maxLength);
  if (value.length < field.minLength) return copy.tooShort(field.minLength);
  if (field.rule && !new RegExp(`^(?:${field.rule.pattern})$`, "u").test(value)) return field.rule.message;
  return null;
}

/** True when all fields are valid. */
export function areKeysGood(fields: readonly StorageKeyField[], keys: Keys): boolean {
  return fields.every((field) => keyFault(field, keys[field.name] ?? "") === null);
}

/** Initial values: the known ones, without secrets. */
export function firstKeys(fields: readonly StorageKeyField[], known: Keys): Keys {
  return Object.fromEntries(fields.map(({ name, isSecret }) => [name, isSecret ? "" : (known[name] ?? "")]));
}

/** The values to send. */
export function sentKeys(fields: readonly StorageKeyField[], keys: Keys): Keys {
  return Object.fromEntries(fields.map(({ name }) => [name, (keys[name] ?? "").trim()]));
}
