import type { ValidateFunction } from "ajv";
import formats from "ajv-formats";
import { type ContractFile, type ContractSystem, readContract } from "./contracts.ts";
import { openAjv } from "./open-ajv.ts";

/** A JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type JsonObject = { [key: string]: Json };

/** One operation of a published OpenAPI document. */
export type Operation = { method: string; template: string; definition: JsonObject };

/** A published contract that can be queried by path. */
export type Specification = {
  /** The operation of a path. Null when the contract does not list it. */
  findOperation(method: string, path: string): Operation | null;
  /** A validator for the schema at a place, e.g. `["paths", "/user", "get", …]`. Null when there is no schema. */
  validator(place: readonly string[]): ValidateFunction | null;
  /** The value at a place. Null when there is none. */
  at(place: readonly string[]): Json;
  /**
   * The first member of a value that its schema does not declare, as `/owner/colour`. Null = every member is declared.
   * A member counts as declared when any branch of a union declares it, or when the schema allows further members.
   * @param isKnown Members that are accepted anyway.
   */
  strayMember(schema: Json, value: unknown, isKnown?: (member: string) => boolean): string | null;
  /** Follows `$ref` once. */
  resolve(value: Json | undefined): { value: JsonObject; place: string[] | null };
};

const DOCUMENTS = {
  github: "github/api.github.com.subset.json",
  jira: "jira/swagger-v3.v3.json",
} as const satisfies Record<ContractSystem, ContractFile>;

const loaded = new Map<ContractSystem, Specification>();

/** Opens a system's contract. Reads and converts it once per process. */
export function openSpecification(system: ContractSystem): Specification {
  const known = loaded.get(system);
  if (known) return known;
  const document = withoutNullable(readContract(DOCUMENTS[system]) as Json) as JsonObject;
  // Jira calls its times date-time, but writes them as `…+0000`, which RFC 3339 does not allow.
  const ajv = openAjv({ allErrors: true, validateFormats: system !== "jira" });
  formats.default(ajv);
  // The document itself is not a schema; only places inside it are.
  ajv.addSchema({ $id: system, ...document }, system, false, false);
  const templates = Object.keys(document.paths as JsonObject).map((template) => ({
    template,
    pattern: templatePattern(template),
    literals: template.split("/").filter((part) => !part.startsWith("{")).length,
  }));
  // `/user/repos` must match before templates like `/users/{username}` of the same length.
  templates.sort((a, b) => b.literals - a.literals);
  const at = (place: readonly string[]): Json =>
    place.reduce<Json>((here, part) => (here as JsonObject | null)?.[part] ?? null, document);
  const specification: Specification = {
    at,
    strayMember: (schema, value, isKnown = () => false) => findStray({ at, isKnown }, [schema], value, ""),
    findOperation(method, path) {
      for (const { template, pattern } of templates) {
        const item = (document.paths as JsonObject)[template] as JsonObject;
        const definition = item[method.toLowerCase()];
        if (definition && pattern.test(canonicalPath(path))) {
          return { method: method.toLowerCase(), template, definition: definition as JsonObject };
        }
      }
      return null;
    },
    validator(place) {
      const pointer = place.map((part) => encodeURIComponent(part.replace(/~/g, "~0").replace(/\//g, "~1")));
      return ajv.getSchema(`${system}#/${pointer.join("/")}`) ?? null;
    },
    resolve(value) {
      const reference = (value as JsonObject | undefined)?.$ref;
      if (typeof reference !== "string") return { value: value as JsonObject, place: null };
      const place = reference.slice("#/".length).split("/");
      const found = place.reduce<Json>((at, part) => (at as JsonObject)[part] ?? null, document);
      return { value: found as JsonObject, place };
    },
  };
  loaded.set(system, specification);
  return specification;
}

/**
 * Links of lists lead to numeric paths that the contract does not list. They respond like the named paths. Evidence:
 * `link` headers in github/recorded.json.
 */
function canonicalPath(path: string): string {
  return path
    .replace(/^\/repositories\/\d+(?=\/|$)/, "/repos/owner/repository")
    .replace(/^\/organizations\/\d+(?=\/)/, "/orgs/organisation")
    .replace(/^\/user\/\d+(?=\/repos$)/, "/users/user");
}

/** Every schema that may apply to a value: the schema itself, its references, and the members of its unions. */
function branchesOf(at: (place: string[]) => Json, schema: Json): JsonObject[] {
  if (schema === null || typeof schema !== "object" || Array.isArray(schema)) return [];
  const referred = typeof schema.$ref === "string" ? [at(schema.$ref.slice("#/".length).split("/"))] : [];
  const unions = ["allOf", "anyOf", "oneOf"].flatMap((name) => (schema[name] ?? []) as Json[]);
  return [schema, ...[...referred, ...unions].flatMap((each) => branchesOf(at, each))];
}

function findStray(
  look: { at: (place: string[]) => Json; isKnown: (member: string) => boolean },
  schemas: readonly Json[],
  value: unknown,
  path: string,
): string | null {
  if (value === null || typeof value !== "object") return null;
  const branches = schemas.flatMap((schema) => branchesOf(look.at, schema));
  if (Array.isArray(value)) {
    const items = branches.flatMap(({ items: each }) => (each === undefined ? [] : [each]));
    if (items.length === 0) return null;
    return value.map((each, index) => findStray(look, items, each, `${path}/${index}`)).find(Boolean) ?? null;
  }
  const known = branches.flatMap(({ properties }) => (properties ? [properties as JsonObject] : []));
  // A schema without members of its own accepts any member, and so does one with `additionalProperties`.
  const isOpen =
    known.length === 0 ||
    branches.some(({ additionalProperties: more }) => more !== undefined && more !== false);
  for (const [name, member] of Object.entries(value)) {
    const own = known.flatMap((properties) => (name in properties ? [properties[name] as Json] : []));
    if (own.length === 0) {
      if (isOpen || look.isKnown(`${path}/${name}`)) continue;
      return `${path}/${name}`;
    }
    const stray = findStray(look, own, member, `${path}/${name}`);
    if (stray !== null) return stray;
  }
  return null;
}

function templatePattern(template: string): RegExp {
  const pattern = template
    .split("/")
    .map((part) => (part.startsWith("{") ? "[^/]+" : part.replace(/[.*+?^$()|[\]\\]/g, "\\$&")))
    .join("/");
  return new RegExp(`^${pattern}$`);
}

/** OpenAPI 3.0 uses `nullable`; JSON Schema uses a union of types. */
function withoutNullable(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutNullable);
  if (value === null || typeof value !== "object") return value;
  const { nullable, ...rest } = Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, withoutNullable(inner)]),
  );
  if (nullable !== true) return nullable === undefined || nullable === false ? rest : { nullable, ...rest };
  const isPlain =
    typeof rest.type === "string" && !["anyOf", "oneOf", "allOf", "$ref"].some((key) => key in rest);
  if (!isPlain) return { anyOf: [rest, { type: "null" }] };
  const nullableType = { ...rest, type: [rest.type as string, "null"] };
  return Array.isArray(rest.enum) ? { ...nullableType, enum: [...rest.enum, null] } : nullableType;
}
