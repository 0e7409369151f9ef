import type { ValidateFunction } from "ajv";
import type { AnsweredExchange } from "#connectors/toolkit/simulator/watch-answers.ts";
import { contractsAreAbsent, readContract } from "#tests/conformance/contracts.ts";
import { openAjv } from "#tests/conformance/open-ajv.ts";

type Schema = { [name: string]: unknown; $ref?: string; properties?: Record<string, Schema> };
type Operation = {
  responses: Record<"200" | "default", { content: { "application/json": { schema: Schema } } }>;
};
type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

const FILE = "stripe/openapi.derived.json";
let document: Document | null = null;
const validators = new Map<string, ValidateFunction>();

/**
 * Checks an answer against the operations and types of the pinned API version: the operation exists, required fields
 * are present, fields have their types, and no field of an object is made up.
 * @returns mismatches; empty when it fits or when the contracts are absent
 */
export function misfitsOf({ method, url, status, body }: AnsweredExchange): string[] {
  if (contractsAreAbsent()) return [];
  document ??= readContract(FILE) as Document;
  const path = `/v1${url.split("?")[0]}`;
  const found = operationOf(document, method.toLowerCase(), path);
  if (!found) return status === 404 ? [] : [`${method} ${path}: there is no such operation`];
  const [template, operation] = found;
  const kind = status < 300 ? "200" : "default";
  const name = `${method} ${template} ${kind}`;
  const schema = operation.responses[kind].content["application/json"].schema;
  // The union of all 260 events says nothing about one of them, so each is held against its own type.
  const checks =
    kind === "200" && template.startsWith("/v1/events")
      ? eventsOf(body).map((event) => [eventSchema(document as Document, event.type), event] as const)
      : [[schema, body] as const];
  const complaints = checks.flatMap(([schema, value]) =>
    complaintsOf(document as Document, schema, value, name),
  );
  return [...complaints, ...madeUp(document, body, name)];
}

type EventBody = { type: string };

function eventsOf(body: unknown): EventBody[] {
  const { data } = body as { data: EventBody[] | object };
  return Array.isArray(data) ? data : [body as EventBody];
}

function eventSchema({ components }: Document, type: string): Schema {
  const found = Object.entries(components.schemas).find(
    ([, { properties }]) =>
      (properties?.object as { const?: string } | undefined)?.const === "event" &&
      (properties?.type as { const?: string } | undefined)?.const === type,
  );
  // Nothing fits the second schema: an event that Stripe does not have is a mismatch.
  return found ? { $ref: `#/components/schemas/${found[0]}` } : { not: {} };
}

function complaintsOf(whole: Document, schema: Schema, value: unknown, name: string): string[] {
  const validate = validatorOf(whole, schema);
  const wrong = validate(value) ? [] : (validate.errors ?? []).slice(0, 5);
  return wrong.map(
    ({ instancePath, message, params }) =>
      `${name}${instancePath.replace(/\/\d+/g, "/…")} ${message} ${JSON.stringify(params)}`,
  );
}

/** The operation of a path; one without ids comes before one with them. */
function operationOf({ paths }: Document, method: string, path: string): [string, Operation] | null {
  const fitting = Object.entries(paths).filter(([template, methods]) => {
    const pattern = new RegExp(`^${template.replace(/\{[^}]+\}/g, "[^/]+")}$`);
    return methods[method] && pattern.test(path);
  });
  const [template, methods] =
    fitting.sort(([one], [other]) => one.split("{").length - other.split("{").length)[0] ?? [];
  const operation = methods?.[method];
  return template && operation ? [template, operation] : null;
}

let ajv: ReturnType<typeof openAjv> | null = null;

function validatorOf({ components }: Document, schema: Schema): ValidateFunction {
  const key = JSON.stringify(schema);
  const known = validators.get(key);
  if (known) return known;
  // The types are added once, so that each is compiled once for all operations.
  ajv ??= openAjv().addSchema({ $id: "stripe", components });
  const made = ajv.compile(JSON.parse(key.replaceAll('"$ref":"#/', '"$ref":"stripe#/')) as Schema);
  validators.set(key, made);
  return made;
}

/** Fields of an answer that its type does not have. The schemas themselves are open. */
function madeUp({ components }: Document, value: unknown, name: string): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => madeUp({ components } as Document, each, name));
  if (value === null || typeof value !== "object") return [];
  const { object } = value as { object?: unknown };
  const known = typeof object === "string" ? fieldsOf(components.schemas, object) : null;
  const odd = known === null ? [] : Object.keys(value).filter((field) => !known.has(field));
  const inner = Object.values(value).flatMap((each) => madeUp({ components } as Document, each, name));
  return [...odd.map((field) => `${name}: ${object} has a made-up field ${field}`), ...inner];
}

const fields = new Map<string, Set<string> | null>();

/** The fields of all types with this `object`; null when there is none, as for lists. */
function fieldsOf(schemas: Record<string, Schema>, object: string): Set<string> | null {
  if (fields.size === 0) {
    for (const { properties } of Object.values(schemas)) {
      const own = (properties?.object as { const?: string } | undefined)?.const;
      if (own === undefined || own === "list" || !properties) continue;
      fields.set(own, new Set([...(fields.get(own) ?? []), ...Object.keys(properties)]));
    }
  }
  return fields.get(object) ?? null;
}
