import { isObject } from "./properties/read-input.ts";

/** A JSON Schema with the keywords that Notion's contract uses. */
export type Schema = {
  $ref?: string;
  anyOf?: Schema[];
  const?: unknown;
  enum?: unknown[];
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: Schema | boolean;
  not?: Schema;
};

/** Finds a schema by its reference. */
export type ResolveSchema = (reference: string) => Schema;

/** A mismatch; `isKind` = the value is another kind of thing than the schema describes. */
type Misfit = { path: string; message: string; isKind: boolean };

/**
 * Holds a value against a schema, and against what the schema does not declare: an undeclared member is a mismatch. Of a
 * union, the mismatches with the nearest member count.
 * @returns sentences such as `/parent/type is not "page_id"`; empty when it fits
 */
export function schemaMisfits(schema: Schema, value: unknown, resolve: ResolveSchema): string[] {
  return misfits(schema, value, resolve, "").map(({ path, message }) => `${path || "/"} ${message}`);
}

function misfits(schema: Schema, value: unknown, resolve: ResolveSchema, path: string): Misfit[] {
  if (schema.$ref !== undefined) return misfits(resolve(schema.$ref), value, resolve, path);
  if (schema.anyOf !== undefined) return nearest(schema.anyOf, value, resolve, path);
  if ("const" in schema && value !== schema.const)
    return [{ path, message: `is not ${JSON.stringify(schema.const)}`, isKind: true }];
  if (schema.enum !== undefined && !schema.enum.includes(value))
    return [{ path, message: `has the undeclared value ${JSON.stringify(value)}`, isKind: false }];
  const types = [schema.type ?? []].flat();
  if (types.length > 0 && !types.some((type) => isOfType(type, value)))
    return [{ path, message: `is not of type ${types.join(" or ")}`, isKind: true }];
  if (schema.not !== undefined) return [{ path, message: "must not be there", isKind: false }];
  if (Array.isArray(value))
    return value.flatMap((each, index) =>
      schema.items === undefined ? [] : misfits(schema.items, each, resolve, `${path}/${index}`),
    );
  return isObject(value) && types.includes("object") ? memberMisfits(schema, value, resolve, path) : [];
}

function memberMisfits(
  { properties, required = [], additionalProperties }: Schema,
  value: Record<string, unknown>,
  resolve: ResolveSchema,
  path: string,
): Misfit[] {
  const absent = required
    .filter((name) => value[name] === undefined)
    .map((name) => ({ path: `${path}/${name}`, message: "is missing", isKind: false }));
  // `Record<string, never>` of the types stands for any object: the contract says so of filters and sorts.
  const isAny = isObject(additionalProperties) && additionalProperties.not !== undefined;
  const isOpen =
    additionalProperties === true || isAny || (properties === undefined && !additionalProperties);
  return [
    ...absent,
    ...Object.entries(value).flatMap(([name, member]): Misfit[] => {
      const place = `${path}/${name}`;
      const own = properties?.[name];
      if (own !== undefined) return misfits(own, member, resolve, place);
      if (isObject(additionalProperties) && !isAny)
        return misfits(additionalProperties, member, resolve, place);
      return isOpen ? [] : [{ path: place, message: "is not declared", isKind: false }];
    }),
  ];
}

/** The mismatches with the member of a union that the value was most likely meant to be. */
function nearest(branches: Schema[], value: unknown, resolve: ResolveSchema, path: string): Misfit[] {
  let best: Misfit[] | null = null;
  for (const branch of branches) {
    const found = misfits(branch, value, resolve, path);
    if (found.length === 0) return [];
    if (best === null || distance(found, path) < distance(best, path)) best = found;
  }
  return best ?? [];
}

/** Another kind at the value itself or in one of its members outweighs any number of mismatches below. */
function distance(found: Misfit[], path: string): number {
  const isFar = found.some((each) => each.isKind && each.path.lastIndexOf("/") <= path.length);
  return found.length + (isFar ? 1_000 : 0);
}

function isOfType(type: string, value: unknown): boolean {
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "integer") return Number.isInteger(value);
  return type === "object" ? isObject(value) : typeof value === type;
}
