import {
  type ASTNode,
  type ASTVisitor,
  type DocumentNode,
  ExecutableDefinitionsRule,
  FragmentsOnCompositeTypesRule,
  GraphQLError,
  Kind,
  KnownArgumentNamesRule,
  KnownDirectivesRule,
  KnownFragmentNamesRule,
  KnownTypeNamesRule,
  LoneAnonymousOperationRule,
  NoFragmentCyclesRule,
  NoUndefinedVariablesRule,
  NoUnusedFragmentsRule,
  NoUnusedVariablesRule,
  OverlappingFieldsCanBeMergedRule,
  PossibleFragmentSpreadsRule,
  ProvidedRequiredArgumentsRule,
  ScalarLeafsRule,
  UniqueArgumentNamesRule,
  UniqueDirectivesPerLocationRule,
  UniqueFragmentNamesRule,
  UniqueInputFieldNamesRule,
  UniqueOperationNamesRule,
  UniqueVariableNamesRule,
  type ValidationContext,
  type ValidationRule,
  ValuesOfCorrectTypeRule,
  VariablesAreInputTypesRule,
  VariablesInAllowedPositionRule,
  validate,
} from "graphql";
import type { GraphqlError } from "./graphql-error.ts";
import { schema } from "./schema.ts";

/** The specification's rules with the error codes of GitHub's server (graphql-ruby, `static_validation/rules`). */
const RULES: readonly (readonly [code: string, rule: ValidationRule])[] = [
  ["queryContainsSchemaDefinitions", ExecutableDefinitionsRule],
  ["uniquelyNamedOperations", UniqueOperationNamesRule],
  ["uniquelyNamedOperations", LoneAnonymousOperationRule],
  ["undefinedField", fieldsExist],
  ["selectionMismatch", ScalarLeafsRule],
  ["fieldConflict", OverlappingFieldsCanBeMergedRule],
  ["undefinedType", KnownTypeNamesRule],
  ["fragmentOnNonCompositeType", FragmentsOnCompositeTypesRule],
  ["fragmentNotUnique", UniqueFragmentNamesRule],
  ["useAndDefineFragment", KnownFragmentNamesRule],
  ["useAndDefineFragment", NoUnusedFragmentsRule],
  ["cannotSpreadFragment", PossibleFragmentSpreadsRule],
  ["infiniteLoop", NoFragmentCyclesRule],
  ["argumentNotAccepted", KnownArgumentNamesRule],
  ["argumentNotUnique", UniqueArgumentNamesRule],
  ["argumentLiteralsIncompatible", ValuesOfCorrectTypeRule],
  ["missingRequiredArguments", ProvidedRequiredArgumentsRule],
  ["inputFieldNotUnique", UniqueInputFieldNamesRule],
  ["variableNotUnique", UniqueVariableNamesRule],
  ["variableRequiresValidType", VariablesAreInputTypesRule],
  ["variableNotDefined", NoUndefinedVariablesRule],
  ["variableNotUsed", NoUnusedVariablesRule],
  ["variableMismatch", VariablesInAllowedPositionRule],
  ["undefinedDirective", KnownDirectivesRule],
  ["directiveNotUniqueForLocation", UniqueDirectivesPerLocationRule],
];

/** Errors for which GitHub refuses a whole document before it runs; empty = the document is valid. */
export function refusalsOf(document: DocumentNode): GraphqlError[] {
  const all = RULES.map(([, rule]) => rule);
  if (validate(schema, document, all).length === 0) return [];
  return RULES.flatMap(([code, rule]) =>
    validate(schema, document, [rule]).map(({ message, path, locations, extensions }) => ({
      ...(path && { path }),
      extensions: { code, ...extensions },
      locations,
      message,
    })),
  );
}

/** `FieldsOnCorrectTypeRule` with GitHub's messages. */
function fieldsExist(context: ValidationContext): ASTVisitor {
  return {
    Field(node, _key, _parent, _path, ancestors) {
      const type = context.getParentType();
      if (!type || context.getFieldDef()) return;
      const fieldName = node.name.value;
      context.reportError(
        new GraphQLError(`Field '${fieldName}' doesn't exist on type '${type.name}'`, {
          nodes: node,
          path: [...ancestors.flat(), node].flatMap(stepOf),
          extensions: { typeName: type.name, fieldName },
        }),
      );
    },
  };
}

/** A part of a path through a document, as GitHub names it. */
function stepOf(node: ASTNode): string[] {
  switch (node.kind) {
    case Kind.OPERATION_DEFINITION:
      return [node.name ? `${node.operation} ${node.name.value}` : node.operation];
    case Kind.FRAGMENT_DEFINITION:
      return [`fragment ${node.name.value}`];
    case Kind.INLINE_FRAGMENT:
      return [`... on ${node.typeCondition?.name.value ?? ""}`.trim()];
    case Kind.FIELD:
      return [(node.alias ?? node.name).value];
    default:
      return [];
  }
}
