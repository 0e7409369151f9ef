import {
  type DocumentNode,
  GraphQLError,
  getOperationAST,
  getVariableValues,
  type OperationDefinitionNode,
  parse,
  print,
} from "graphql";
import { refusalsOf } from "./document-rules.ts";
import type { GraphqlError } from "./graphql-error.ts";
import { schema } from "./schema.ts";

/** A valid document with its operation and variables. */
export type Question = {
  document: DocumentNode;
  operation: OperationDefinitionNode;
  /** The variables as sent. */
  given: Record<string, unknown>;
  /** The variables with defaults applied. */
  variables: Record<string, unknown>;
};

/** A document that GitHub refuses as a whole before it runs. */
export class DocumentRefused extends Error {
  readonly errors: readonly GraphqlError[];
  constructor(errors: readonly GraphqlError[]) {
    super(errors[0]?.message);
    this.errors = errors;
  }
}

/** Parses a request and validates it as strictly as GitHub does. @throws DocumentRefused */
export function readQuestion(
  query: string,
  operationName: string | null | undefined,
  given: Record<string, unknown>,
): Question {
  if (query.trim() === "") refuse({ message: "A query attribute must be specified and must be a string." });
  const document = parsed(query);
  const refusals = refusalsOf(document);
  if (refusals.length > 0) throw new DocumentRefused(refusals);
  const operation = getOperationAST(document, operationName);
  if (!operation) {
    return refuse({
      message: operationName ? `No operation named "${operationName}"` : "An operation name is required",
    });
  }
  if (!schema.getRootType(operation.operation)) {
    const extensions = { code: "missingSubscriptionConfiguration" };
    return refuse({ message: "Schema is not configured for subscriptions", extensions });
  }
  return { document, operation, given, variables: variablesOf(operation, given) };
}

function refuse(error: GraphqlError): never {
  throw new DocumentRefused([error]);
}

function parsed(query: string): DocumentNode {
  try {
    return parse(query);
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    return refuse({ message: error.message, locations: error.locations });
  }
}

function variablesOf(
  operation: OperationDefinitionNode,
  given: Record<string, unknown>,
): Record<string, unknown> {
  const definitions = operation.variableDefinitions ?? [];
  const { coerced, errors } = getVariableValues(schema, definitions, given);
  if (!errors) return coerced;
  throw new DocumentRefused(
    errors.map(({ message, nodes, locations }) => {
      const definition = definitions.find((known) => nodes?.includes(known));
      const name = definition?.variable.name.value ?? "";
      const type = definition ? print(definition.type) : "";
      const problems = [{ path: [], explanation: message }];
      return {
        extensions: { value: given[name] ?? null, problems },
        locations,
        message: `Variable $${name} of type ${type} was provided invalid value`,
      };
    }),
  );
}
