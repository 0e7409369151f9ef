import { executeSync, type GraphQLError, type GraphQLFieldResolver, responsePathAsArray } from "graphql";
import type { GraphqlError } from "./graphql-error.ts";
import type { Question } from "./read-question.ts";
import { schema } from "./schema.ts";

/** Arguments of a field, with variables substituted. */
export type Arguments = Record<string, unknown>;
/**
 * An object of the schema. Its members are values, or functions that take the field's arguments. `__typename` names its
 * type where the schema allows several.
 */
export type GraphqlObject = Record<string, unknown>;

/** A response of `/graphql`. */
export type Answer = { data?: Record<string, unknown> | null; errors?: readonly GraphqlError[] };

/** GitHub's message for an internal GraphQL failure, which has no type (as github.com sends it). */
export const SOMETHING_WENT_WRONG =
  "Something went wrong while executing your query. This may be the result of a timeout, or it could be a GitHub bug. Please include `C0DE:1A2B:3C4D` when reporting this issue.";

/** A field that fails. The response lists the error, and the nearest nullable parent becomes null. */
export class FieldError extends Error {
  /** null = an internal failure of GitHub, which has no type. */
  readonly type: string | null;
  constructor(type: string | null, message: string) {
    super(message);
    this.type = type;
  }
}

/** Simulated failures. */
export type Troubles = {
  /** Node ids that GitHub lists without showing them. Lists contain null in their place. */
  hiddenNodes: readonly string[];
  /** Regular expressions over `field.0.field`. Matching fields fail with an error that has no type. */
  brokenFields: readonly string[];
};

/** Executes a question on the root object of its operation. @throws Error when an object lacks a field of its type */
export function execute(question: Question, rootValue: GraphqlObject, troubles: Troubles): Answer {
  const { data, errors } = executeSync({
    schema,
    document: question.document,
    operationName: question.operation.name?.value,
    variableValues: question.given,
    rootValue,
    contextValue: troubles,
    fieldResolver: resolveField,
  });
  return errors ? { data: data ?? null, errors: errors.map(errorAnswer) } : { data: data ?? null };
}

const resolveField: GraphQLFieldResolver<GraphqlObject, Troubles> = (source, args, troubles, info) => {
  const { hiddenNodes, brokenFields } = troubles;
  const path = () => responsePathAsArray(info.path).join(".");
  if (brokenFields.some((pattern) => new RegExp(pattern).test(path()))) {
    throw new FieldError(null, SOMETHING_WENT_WRONG);
  }
  const { fieldName, parentType } = info;
  if (!(fieldName in source)) throw new Error(`An object of the type ${parentType.name} lacks ${fieldName}.`);
  const given = source[fieldName];
  const value: unknown = typeof given === "function" ? given(args) : given;
  if (!Array.isArray(value) || hiddenNodes.length === 0) return value;
  return value.map((item: GraphqlObject | null) => (hiddenNodes.includes(String(item?.id)) ? null : item));
};

function errorAnswer(error: GraphQLError): GraphqlError {
  const { originalError, path, locations, message } = error;
  if (!(originalError instanceof FieldError)) throw originalError ?? error;
  const { type } = originalError;
  return type === null ? { path, message } : { type, path, locations, message };
}
