import { z } from "zod";
import type { Json } from "#core/kernel/canonical-json.ts";
import { adfSchema, type FieldRecord } from "../record-types.ts";
import { isAlike } from "./columns.ts";
import type { CreateField } from "./jira-calls.ts";

/** What values are matched with, by the names of the version. */
export type ValueContext = {
  /** Ids in the target by the lower-case names of the version. */
  components: ReadonlyMap<string, string>;
  versions: ReadonlyMap<string, string>;
  /** Account ids of people who exist and are active. */
  people: ReadonlySet<string>;
  /** Rewrites a text field's document. */
  text: (doc: Json) => Json;
};

/** What becomes of a value: set, set in part, or not at all, and why. */
export type FieldValue = { value: Json | undefined; lost: string[] };

const NONE: FieldValue = { value: undefined, lost: [] };

/** Fields of agile boards that have calls of their own, and fields that Jira computes. */
const OWN_WAYS = /:(gh-sprint|gh-lexo-rank|gh-epic-link|devsummarycf|vp-origin|readonlyfield)$/;

/** Whether a custom field is restored in another way, or computed by Jira. */
export function isOwnWay({ schema }: FieldRecord): boolean {
  return OWN_WAYS.test(schema?.custom ?? "");
}

/** Whether a field holds the type of a customer's request. */
export function isRequestType({ schema }: FieldRecord): boolean {
  return /:vp-origin$/.test(schema?.custom ?? "");
}

/**
 * The field of the target that takes the values of a field of the version: the same one (same site), else one of the
 * same name and type. Null = the create screen has none.
 */
export function matchField(field: FieldRecord, targets: readonly CreateField[]): CreateField | null {
  const isSameType = ({ schema }: CreateField) =>
    schema.custom === field.schema?.custom && schema.type === field.schema?.type;
  return (
    targets.find((target) => target.fieldId === field.id && isSameType(target)) ??
    targets.find((target) => isAlike(target.name, field.name) && isSameType(target)) ??
    null
  );
}

const person = z.looseObject({ accountId: z.string(), displayName: z.string().catch("") });
const group = z.looseObject({ name: z.string(), groupId: z.string().optional() });
const named = z.looseObject({ id: z.string().optional(), name: z.string() });
const option = z.looseObject({ id: z.string().optional(), value: z.string() });
const cascade = option.extend({ child: option.nullish() });

/** The value of a field of the target for a value of the version. Options are found by id or name. */
export function valueFor(value: Json, field: CreateField, context: ValueContext): FieldValue {
  if (value === null) return NONE;
  const { type, items } = field.schema;
  if (type === "array") return listFor(value, items ?? "string", { field, context });
  return oneFor(value, type, { field, context });
}

type Case = { field: CreateField; context: ValueContext };

function listFor(value: Json, items: string, given: Case): FieldValue {
  if (!Array.isArray(value)) return { value: undefined, lost: ["a value of an unknown form"] };
  const each = value.map((member) => oneFor(member, items, given));
  const kept = each.flatMap((one) => (one.value === undefined ? [] : [one.value]));
  return { value: kept.length > 0 ? kept : undefined, lost: each.flatMap(({ lost }) => lost) };
}

function oneFor(value: Json, type: string, { field, context }: Case): FieldValue {
  switch (type) {
    case "string": {
      if (adfSchema.safeParse(value).success) return { value: context.text(value), lost: [] };
      return typeof value === "string" ? { value, lost: [] } : unknownForm();
    }
    case "number":
    case "date":
    case "datetime":
      return { value, lost: [] };
    case "option":
      return optionFor(value, field);
    case "option-with-child":
      return cascadeFor(value, field);
    case "user": {
      const { success, data } = person.safeParse(value);
      if (!success) return unknownForm();
      if (context.people.has(data.accountId)) return { value: { accountId: data.accountId }, lost: [] };
      return { value: undefined, lost: [data.displayName || data.accountId] };
    }
    case "group": {
      const { success, data } = group.safeParse(value);
      return success ? { value: { name: data.name }, lost: [] } : unknownForm();
    }
    case "component":
      return byName(value, context.components);
    case "version":
      return byName(value, context.versions);
    case "priority":
    case "resolution":
    case "securitylevel":
      return allowedNamed(value, field);
    case "project": {
      const { success, data } = named.safeParse(value);
      return success && data.id !== undefined ? { value: { id: data.id }, lost: [] } : unknownForm();
    }
    case "team": {
      const { success, data } = z.looseObject({ id: z.string() }).safeParse(value);
      return success ? { value: data.id, lost: [] } : unknownForm();
    }
    default:
      return { value: undefined, lost: ["values of this type"] };
  }
}

const unknownForm = (): FieldValue => ({ value: undefined, lost: ["a value of an unknown form"] });

type Allowed = CreateField["allowedValues"][number];

function optionFor(value: Json, { allowedValues }: Pick<CreateField, "allowedValues">): FieldValue {
  const { success, data } = option.safeParse(value);
  if (!success) return unknownForm();
  const found = sameOption(data, allowedValues);
  return found === null ? { value: undefined, lost: [data.value] } : { value: { id: found.id }, lost: [] };
}

function cascadeFor(value: Json, { allowedValues }: CreateField): FieldValue {
  const { success, data } = cascade.safeParse(value);
  if (!success) return unknownForm();
  const parent = sameOption(data, allowedValues);
  if (parent === null) return { value: undefined, lost: [data.value] };
  if (!data.child) return { value: { id: parent.id }, lost: [] };
  const child = sameOption(data.child, parent.children);
  if (child === null) return { value: { id: parent.id }, lost: [data.child.value] };
  return { value: { id: parent.id, child: { id: child.id } }, lost: [] };
}

/** By name first: an id may belong to another option on another site. */
function sameOption<T extends { id: string; value?: string | undefined }>(
  wanted: { id?: string | undefined; value: string },
  among: readonly T[],
): T | null {
  return (
    among.find(({ id, value }) => id === wanted.id && value === wanted.value) ??
    among.find(({ value }) => value !== undefined && isAlike(value, wanted.value)) ??
    null
  );
}

/** A value that a field names, by the name that it has in the version. */
export function allowedNamed(value: Json, { allowedValues }: CreateField): FieldValue {
  const { success, data } = named.safeParse(value);
  if (!success) return unknownForm();
  const found: Allowed | undefined =
    allowedValues.find(({ id, name }) => id === data.id && name === data.name) ??
    allowedValues.find(({ name }) => name !== undefined && isAlike(name, data.name));
  return found === undefined
    ? { value: undefined, lost: [data.name] }
    : { value: { id: found.id }, lost: [] };
}

function byName(value: Json, ids: ReadonlyMap<string, string>): FieldValue {
  const { success, data } = named.safeParse(value);
  if (!success) return unknownForm();
  const id = ids.get(data.name.trim().toLowerCase());
  return id === undefined ? { value: undefined, lost: [data.name] } : { value: { id }, lost: [] };
}
