import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse } from "graphql";
import ts from "typescript";
import { type ContractFile, readContract } from "../contracts.ts";

/**
 * Where the names of a schema's fields come from:
 * - `contract`: the properties of a schema in one of the contracts
 * - `types`: the values that the member `type` of its variants takes, e.g. the types of blocks
 * - `sdk`: the members of an interface in the types of an SDK, for schemas that no contract has
 * - `graphql`: the fields of a type of GitHub's GraphQL schema
 */
export type SchemaSource =
  | { from: "contract" | "types"; file: ContractFile; schema: string }
  | { from: "sdk"; module: string; file: string; schema: string }
  | { from: "graphql"; schema: string };

/** The names of a schema's fields, sorted. @throws Error when the source has no such schema, or it has no fields */
export function fieldsOf(source: SchemaSource): string[] {
  const names = namesOf(source);
  if (names.size === 0) throw new Error(`No fields of ${JSON.stringify(source)}`);
  return [...names].sort();
}

function namesOf(source: SchemaSource): Set<string> {
  switch (source.from) {
    case "contract":
      return propertiesOf(schemaIn(source.file, source.schema), source.file);
    case "types":
      return typesOf(schemaIn(source.file, source.schema), source.file);
    case "sdk":
      return membersOf(source);
    case "graphql":
      return graphqlFieldsOf(source.schema);
    default:
      return source satisfies never;
  }
}

type Schema = {
  $ref?: string;
  properties?: Record<string, { const?: string; enum?: string[] }>;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
};
type Document = {
  components?: { schemas: Record<string, Schema> };
  definitions?: Record<string, Schema>;
  $defs?: Record<string, Schema>;
};

function schemaIn(file: ContractFile, name: string): Schema {
  const document = readContract(file) as Document;
  const found = (document.components?.schemas ?? document.definitions ?? document.$defs)?.[name];
  if (found === undefined) throw new Error(`${file} has no schema ${name}`);
  return found;
}

/** A schema and everything that it is made of. */
function* piecesOf(schema: Schema, file: ContractFile): Generator<Schema> {
  if (schema.$ref !== undefined) {
    yield* piecesOf(schemaIn(file, schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1)), file);
    return;
  }
  yield schema;
  for (const part of [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) {
    yield* piecesOf(part, file);
  }
}

function propertiesOf(schema: Schema, file: ContractFile): Set<string> {
  return new Set([...piecesOf(schema, file)].flatMap(({ properties }) => Object.keys(properties ?? {})));
}

function typesOf(schema: Schema, file: ContractFile): Set<string> {
  return new Set(
    [...piecesOf(schema, file)].flatMap(({ properties }) => {
      const type = properties?.type;
      return type?.const === undefined ? (type?.enum ?? []) : [type.const];
    }),
  );
}

/** A file of an installed package, also one that it does not export. */
function fileOf(module: string, file: string): string {
  return fileURLToPath(new URL(`../../../node_modules/${module}/${file}`, import.meta.url));
}

const parsed = new Map<string, ts.SourceFile>();

function membersOf({ module, file, schema }: Extract<SchemaSource, { from: "sdk" }>): Set<string> {
  const at = fileOf(module, file);
  const tree = parsed.get(at) ?? ts.createSourceFile(at, readFileSync(at, "utf8"), ts.ScriptTarget.Latest);
  parsed.set(at, tree);
  const names = new Set<string>();
  const visit = (name: string) => {
    for (const node of tree.statements) {
      if (!ts.isInterfaceDeclaration(node) || node.name.text !== name) continue;
      for (const { name: member } of node.members) if (member && "text" in member) names.add(member.text);
      for (const { types } of node.heritageClauses ?? [])
        for (const { expression } of types) if (ts.isIdentifier(expression)) visit(expression.text);
    }
  };
  visit(schema);
  return names;
}

function graphqlFieldsOf(name: string): Set<string> {
  const text = readFileSync(fileOf("@octokit/graphql-schema", "schema.graphql"), "utf8");
  const type = parse(text).definitions.find(
    (node) => node.kind === "ObjectTypeDefinition" && node.name.value === name,
  );
  const fields = type?.kind === "ObjectTypeDefinition" ? (type.fields ?? []) : [];
  return new Set(fields.map((field) => field.name.value));
}
