import { Kind, type SelectionSetNode, valueFromASTUntyped } from "graphql";
import type { Question } from "./read-question.ts";

/** GitHub refuses a query that could return more nodes than this. */
export const NODE_LIMIT = 500_000;

/**
 * The cost of a query, by GitHub's rule. Every connection counts once per node of the enclosing connection. The sum of
 * these requests, divided by a hundred and rounded, is the cost in points, at least one. `nodeCount` is the largest
 * number of nodes that the query could return.
 */
export function costOf({ document, operation, variables }: Question): { cost: number; nodeCount: number } {
  let requests = 0;
  let nodeCount = 0;
  const fragments = new Map(
    document.definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION
        ? [[definition.name.value, definition.selectionSet] as const]
        : [],
    ),
  );
  const walk = (set: SelectionSetNode | undefined, parents: number) => {
    for (const selection of set?.selections ?? []) {
      if (selection.kind !== Kind.FIELD) {
        const isSpread = selection.kind === Kind.FRAGMENT_SPREAD;
        walk(isSpread ? fragments.get(selection.name.value) : selection.selectionSet, parents);
        continue;
      }
      const bound = selection.arguments?.find(({ name }) => ["first", "last"].includes(name.value));
      const count = bound ? Number(valueFromASTUntyped(bound.value, variables) ?? 0) : null;
      if (count !== null) {
        requests += parents;
        nodeCount += parents * count;
      }
      walk(selection.selectionSet, parents * Math.max(1, count ?? 1));
    }
  };
  walk(operation.selectionSet, 1);
  return { cost: Math.max(1, Math.round(requests / 100)), nodeCount };
}
