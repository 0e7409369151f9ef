import { AppError } from "#core/kernel/app-error.ts";

/**
 * Our field → its name on the platform's wire. A missing field has the same name (`connectors/contract/endpoints.ts`).
 */
export type Fields = Readonly<Record<string, string>>;

/** Places use the spec's names on every platform, so the dialect does not rename inside them. */
const OPAQUE = "place";

/**
 * Renames wire names to our names, at every depth.
 * @throws AppError `err.request.invalid` when two members mean the same field
 */
export function fromWire(fields: Fields, value: unknown): unknown {
  const ours = new Map(Object.entries(fields).map(([our, wire]) => [wire, our]));
  return rename(value, (name) => ours.get(name) ?? name);
}

function rename(value: unknown, nameOf: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((each) => rename(each, nameOf));
  if (value === null || typeof value !== "object") return value;
  const renamed = new Map<string, unknown>();
  for (const [name, member] of Object.entries(value)) {
    const our = nameOf(name);
    if (renamed.has(our)) {
      throw new AppError("err.request.invalid", { message: `The member ${name} is given twice.` });
    }
    renamed.set(our, our === OPAQUE ? member : rename(member, nameOf));
  }
  return Object.fromEntries(renamed);
}

/** The name of our field on the wire. */
export function wireName(fields: Fields, our: string): string {
  return Object.hasOwn(fields, our) ? fields[our]! : our;
}

/** Renames an answer's members to the wire's names, one level deep. Rows keep the spec's names. */
export function answerOnWire(answers: Fields, value: unknown): unknown {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [wireName(answers, name), member]));
}

type JsonSchema = { [key: string]: unknown };

/** Renames the properties of a JSON Schema to the wire's names, so that the document uses the platform's dialect. */
export function schemaOnWire(fields: Fields, schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map((each) => schemaOnWire(fields, each));
  if (schema === null || typeof schema !== "object") return schema;
  const renamed: JsonSchema = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key === "properties") {
      renamed[key] = Object.fromEntries(
        Object.entries(value as JsonSchema).map(([name, property]) => [
          wireName(fields, name),
          name === OPAQUE ? property : schemaOnWire(fields, property),
        ]),
      );
    } else if (key === "required") renamed[key] = (value as string[]).map((name) => wireName(fields, name));
    else renamed[key] = schemaOnWire(fields, value);
  }
  return renamed;
}
