import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { createApi } from "#workers/api/create-api.ts";
import { type Fields, schemaOnWire } from "#workers/api/dialect.ts";
import { pathOf, type Route } from "#workers/api/mount-route.ts";
import type { CoreOperations } from "#workers/api/operations.ts";
import { platformOperations } from "#workers/api/platform-operations.ts";
import { type JsonSchema, typeOfSchema } from "#workers/api/type-of-schema.ts";
import { ROOT } from "./tools.ts";

const FILE = "app/api/calls.generated.ts";
const HEADER = [
  "// Written by `npm run generate` from the routes of workers/api.\n\n",
  'import type { Json } from "#core/kernel/canonical-json.ts";\n',
].join("");

/** An empty input allows no member. */
const NOTHING = /^Record<never, never>$/;
const NO_INPUT = "Record<string, never>";

/** Only the handlers use it, and no handler runs here. */
const NO_CORE = {} as CoreOperations;

/** Writes the types of the API's calls for the screens. With `isCheck` it only reports stale ones. */
export function callTypes(isCheck: boolean): string | null {
  const text = [HEADER, sharedCalls(), platformCalls()].join("\n");
  const path = join(ROOT, FILE);
  if (readOrEmpty(path) === text) return null;
  if (isCheck) return "The types of the API's calls are stale: run npm run generate";
  writeFileSync(path, text);
  return null;
}

/** The calls that are the same on every platform, in the names of the wire. */
function sharedCalls(): string {
  const api = createApi({ core: NO_CORE, platforms: [] });
  const lines = api.documented.map((route) => {
    const path = pathOf(route).replace(/^\/(api\/)?/, "");
    return `  ${JSON.stringify(`${route.method} ${path}`)}: ${callOf(route, route.fields, route.answers)};\n`;
  });
  return [
    "/** The API's own calls by method and path, in the names of the wire. Paths are below `/api`, or begin with `identity/`. */\n",
    "export type ApiCalls = {\n",
    ...lines.sort(),
    "};\n",
  ].join("");
}

/** The operations that every platform shares, in our names. The client adds the account and the kind. */
function platformCalls(): string {
  const kinds = [{ id: "itemIds", isSub: false }];
  const operations = platformOperations(NO_CORE, { kinds });
  const lines = Object.entries(operations).map(([name, { input, ...operation }]) => {
    const schema = typeof input === "function" ? input(["itemIds"]) : input;
    return `  ${JSON.stringify(name)}: ${callOf({ ...operation, input: schema }, {}, {}, ["connectionId", "kind"])};\n`;
  });
  return [
    "/** The operations that platforms share, in our names and without the account and the kind. */\n",
    "export type PlatformCalls = {\n",
    ...lines.sort(),
    "};\n",
  ].join("");
}

function callOf(
  { input, result, beside }: Pick<Route<z.ZodType>, "input" | "result" | "beside">,
  fields: Fields = {},
  answers: Fields = {},
  without: readonly string[] = [],
): string {
  const members = [
    `input: ${wireType(input, "input", fields, without).replace(NOTHING, NO_INPUT)}`,
    `result: ${wireType(result, "output", answers)}`,
    `beside: ${beside ? wireType(beside, "output", answers) : "Record<never, never>"}`,
  ];
  return `{ ${members.join("; ")} }`;
}

function wireType(
  schema: z.ZodType,
  io: "input" | "output",
  names: Fields,
  without: readonly string[] = [],
): string {
  const { properties, ...rest } = schemaOnWire(
    names,
    z.toJSONSchema(schema, { io, unrepresentable: "any" }),
  ) as JsonSchema;
  const kept = properties && Object.entries(properties).filter(([name]) => !without.includes(name));
  return typeOfSchema(kept ? { ...rest, properties: Object.fromEntries(kept) } : rest);
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
