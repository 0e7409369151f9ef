import type { RouteConfig } from "@hono/zod-openapi";
import { z } from "zod";
import { AppError } from "#core/kernel/app-error.ts";
import { ERROR_CODES, type ErrorCode } from "#core/kernel/error-codes.ts";
import { type Fields, schemaOnWire } from "./dialect.ts";
import { errorEnvelope } from "./envelope.ts";
import { type Api, pathOf, type Route } from "./mount-route.ts";

type JsonSchema = { properties?: Record<string, object>; required?: string[] } & Record<string, unknown>;

/** Error codes of every call: invalid request, internal error, maintenance. */
const ALWAYS: readonly ErrorCode[] = ["err.request.invalid", "err.internal", "err.maintenance"];
const WITH_BODY: readonly ErrorCode[] = ["err.request.too.large", "err.request.type"];

/** Adds a route to the OpenAPI document: its input, its result, and every error with status and message. */
export function describeRoute(api: Api, route: Route<z.ZodType>): void {
  const fields = route.fields ?? {};
  const input = inputSchema(route.input, fields);
  const hasBody = route.method !== "GET";
  const body = route.alsoQuery ? withoutRequired(input) : input;
  const path = documentedPath(pathOf(route));
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  api.openAPIRegistry.registerPath({
    method: route.method.toLowerCase() as "get" | "post" | "put" | "patch" | "delete",
    path,
    operationId: operationId(route.method, path),
    summary: route.summary,
    tags: [route.tag],
    ...(route.isPublic ? { security: [] } : {}),
    ...(!hasBody || route.alsoQuery
      ? { parameters: parametersOf(input, inPath, route.alsoQuery === true) }
      : {}),
    ...(hasBody
      ? {
          request: {
            body: {
              required: (input.required ?? []).length > 0,
              ...(route.alsoQuery
                ? { description: "Page numbers may be in the query instead, but not in both." }
                : {}),
              content: { "application/json": { schema: body } },
            },
          },
        }
      : {}),
    responses: {
      200: {
        description: "Done.",
        content: { "application/json": { schema: successSchema(route) } },
      },
      ...refusals(codesOf(route)),
    },
  });
}

/** Every error code that a route may answer with. */
function codesOf(
  route: Pick<Route<z.ZodType>, "method" | "isPublic" | "isStateChanging" | "refuses">,
): ErrorCode[] {
  const isChange = route.method !== "GET" || route.isStateChanging === true;
  return [
    ...new Set<ErrorCode>([
      ...ALWAYS,
      ...(route.method === "GET" ? [] : WITH_BODY),
      ...(isChange ? (["err.request.origin"] as const) : []),
      ...(route.isPublic ? [] : (["err.session.missing"] as const)),
      ...(route.refuses ?? []),
    ]),
  ];
}

/** Error responses, grouped by HTTP status. */
export function refusals(codes: readonly ErrorCode[]): RouteConfig["responses"] {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const { status } = ERROR_CODES[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus]
      .sort(([one], [other]) => one - other)
      .map(([status, those]) => [
        String(status),
        {
          description: those.map((code) => ERROR_CODES[code].message).join(" Or: "),
          content: {
            "application/json": {
              schema: {
                allOf: [
                  { $ref: "#/components/schemas/Envelope" },
                  {
                    type: "object",
                    properties: { status: { enum: ["failure", "warning"] }, code: { enum: those } },
                  },
                ],
              },
              examples: Object.fromEntries(
                those.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
              ),
            },
          },
        },
      ]),
  );
}

/** Registers the shared error components once. */
export function registerErrors(api: Api): void {
  for (const code of Object.keys(ERROR_CODES) as ErrorCode[]) {
    const { status, message } = ERROR_CODES[code];
    api.openAPIRegistry.registerComponent("examples", code, {
      summary: `HTTP ${status}: ${message}`,
      value: errorEnvelope(new AppError(code)),
    });
  }
}

function successSchema({ result, beside, answers = {} }: Route<z.ZodType>): JsonSchema {
  const besides = schemaOnWire(answers, outputSchema(beside ?? z.object({}))) as JsonSchema;
  return {
    type: "object",
    properties: {
      status: { const: "success" },
      message: { type: ["string", "null"] },
      result: schemaOnWire(answers, outputSchema(result)) as object,
      code: { type: "null" },
      ...besides.properties,
    },
    required: ["status", "message", "result", "code", ...(besides.required ?? [])],
    additionalProperties: false,
  };
}

function inputSchema(schema: z.ZodType, fields: Fields): JsonSchema {
  const { $schema: _, ...plain } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return schemaOnWire(fields, plain) as JsonSchema;
}

function outputSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...plain } = z.toJSONSchema(schema, { io: "output" });
  return plain as JsonSchema;
}

function withoutRequired({ required: _, ...schema }: JsonSchema): JsonSchema {
  return schema;
}

function parametersOf({ properties, required }: JsonSchema, inPath: readonly string[], isOptional: boolean) {
  return Object.entries(properties ?? {}).map(([name, schema]) => ({
    name,
    in: inPath.includes(name) ? ("path" as const) : ("query" as const),
    required: !isOptional && (required?.includes(name) ?? false),
    schema,
  }));
}

/** The path in OpenAPI's notation: `{id}` for the router's `:id`. */
export function documentedPath(path: string): string {
  return path.replace(/:(\w+)/g, "{$1}");
}

/** Unique, and valid as a name in generated clients: `getGithubGetGithubUsers`. */
function operationId(method: string, path: string): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== "" && word !== "api");
  return method.toLowerCase() + words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join("");
}
