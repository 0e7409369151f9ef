import type { DirectiveNode, Document, Operation, Selection, ValueNode } from "./parse.ts";

/** Arguments of a field, with variables substituted. */
export type Arguments = Record<string, unknown>;
/** Computes a field when it is requested. */
export type Resolver = (args: Arguments) => unknown;
/** An object of the schema: its type, and its fields, which are computed on request. */
export type GraphqlObject = { __typename: string; interfaces?: readonly string[] } & {
  [field: string]: unknown;
};

/** One entry of `errors`. */
export type GraphqlError = {
  type?: string;
  path?: (string | number)[];
  locations?: { line: number; column: number }[];
  extensions?: Record<string, unknown>;
  message: string;
};

/** GraphQL's message when it gives up, without a type (github.com's own words). */
export const SOMETHING_WENT_WRONG =
  "Something went wrong while executing your query. This may be the result of a timeout, or it could be a GitHub bug. Please include `C0DE:1A2B:3C4D` when reporting this issue.";

/** A field that cannot be returned. It becomes null, and the error is listed. */
export class FieldError extends Error {
  readonly type: string;
  constructor(type: string, message: string) {
    super(message);
    this.type = type;
  }
}

/** A document that GitHub refuses before running it. */
export class DocumentError extends Error {
  readonly error: GraphqlError;
  constructor(error: GraphqlError) {
    super(error.message);
    this.error = error;
  }
}

/** What an execution works with. */
export type Execution = {
  document: Document;
  variables: Record<string, unknown>;
  /** Node ids that GitHub lists but does not show. Lists contain null in their place. */
  hidden?: readonly string[];
  /** Regular expressions over `field.0.field`. Matching fields become null, with an error that has no type. */
  broken?: readonly string[];
};

/** Runs one operation against the root of the schema. A document with unknown fields is refused. */
export function execute(
  execution: Execution,
  operation: Operation,
  root: GraphqlObject,
): { data: Record<string, unknown>; errors: GraphqlError[] } {
  const errors: GraphqlError[] = [];
  const data = selectFields({ execution, errors }, root, operation.selections, []);
  return { data, errors };
}

type Work = { execution: Execution; errors: GraphqlError[] };
type Field = Extract<Selection, { kind: "field" }>;

function selectFields(
  work: Work,
  object: GraphqlObject,
  selections: readonly Selection[],
  path: (string | number)[],
): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [alias, fields] of collect(work.execution, object, selections)) {
    const [field] = fields;
    if (!field) continue;
    const inner = fields.some(({ selections: own }) => own !== null)
      ? fields.flatMap(({ selections: own }) => own ?? [])
      : null;
    result[alias] = resolve(work, object, { ...field, selections: inner }, [...path, alias]);
  }
  return result;
}

/** Fields by alias, with fragments and directives applied. The same alias twice is one field. */
function collect(
  execution: Execution,
  object: GraphqlObject,
  selections: readonly Selection[],
  into: Map<string, Field[]> = new Map(),
): Map<string, Field[]> {
  for (const selection of selections) {
    if (!isIncluded(execution, selection.directives)) continue;
    switch (selection.kind) {
      case "field":
        into.set(selection.alias, [...(into.get(selection.alias) ?? []), selection]);
        break;
      case "inline":
        if (isOf(object, selection.on)) collect(execution, object, selection.selections, into);
        break;
      case "spread": {
        const fragment = execution.document.fragments.get(selection.fragment);
        if (!fragment) {
          throw new DocumentError({ message: `Fragment ${selection.fragment} was used, but not defined` });
        }
        if (isOf(object, fragment.on)) collect(execution, object, fragment.selections, into);
      }
    }
  }
  return into;
}

function isOf(object: GraphqlObject, type: string | null): boolean {
  return type === null || object.__typename === type || object.interfaces?.includes(type) === true;
}

function isIncluded(execution: Execution, directives: readonly DirectiveNode[]): boolean {
  return directives.every(({ name, args }) => {
    const isTrue = readValue(execution, args.find(([key]) => key === "if")?.[1]) === true;
    return name === "include" ? isTrue : name === "skip" ? !isTrue : true;
  });
}

function resolve(work: Work, object: GraphqlObject, field: Field, path: (string | number)[]): unknown {
  if (field.name === "__typename") return object.__typename;
  if (!(field.name in object) || field.name === "interfaces") {
    throw new DocumentError({
      path: ["query", ...path.map(String)],
      extensions: { code: "undefinedField", typeName: object.__typename, fieldName: field.name },
      locations: [{ line: field.line, column: field.column }],
      message: `Field '${field.name}' doesn't exist on type '${object.__typename}'`,
    });
  }
  const args = Object.fromEntries(
    field.args.map(([name, value]) => [name, readValue(work.execution, value)]),
  );
  if (work.execution.broken?.some((pattern) => new RegExp(pattern).test(path.join(".")))) {
    work.errors.push({ path, message: SOMETHING_WENT_WRONG });
    return null;
  }
  try {
    const given = object[field.name];
    const value = typeof given === "function" ? (given as Resolver)(args) : given;
    return complete(work, value, field, path);
  } catch (error) {
    if (!(error instanceof FieldError)) throw error;
    work.errors.push({
      type: error.type,
      path,
      locations: [{ line: field.line, column: field.column }],
      message: error.message,
    });
    return null;
  }
}

function complete(work: Work, value: unknown, field: Field, path: (string | number)[]): unknown {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) {
    return value.map((item, index) =>
      isHidden(work, item) ? null : complete(work, item, field, [...path, index]),
    );
  }
  if (typeof value !== "object") return value;
  if (field.selections === null) {
    throw new DocumentError({
      path: ["query", ...path.map(String)],
      locations: [{ line: field.line, column: field.column }],
      message: `Field must have selections (field '${field.name}' returns objects but has no selections.)`,
    });
  }
  return selectFields(work, value as GraphqlObject, field.selections, path);
}

function isHidden({ execution }: Work, item: unknown): boolean {
  if (typeof item !== "object" || item === null || !("id" in item)) return false;
  return typeof item.id === "string" && execution.hidden?.includes(item.id) === true;
}

/** A value of a document with variables substituted. A variable that is not set is undefined. */
export function readValue(execution: Execution, node: ValueNode | null | undefined): unknown {
  if (!node) return undefined;
  switch (node.kind) {
    case "literal":
      return node.value;
    case "variable":
      return execution.variables[node.name];
    case "list":
      return node.items.map((item) => readValue(execution, item));
    case "object":
      return Object.fromEntries(node.fields.map(([key, value]) => [key, readValue(execution, value)]));
  }
}
