import { type Execution, readValue } from "./execute.ts";
import type { Operation, Selection } from "./parse.ts";

/** GitHub refuses a query that could return more nodes than this. */
export const NODE_LIMIT = 500_000;

/**
 * The cost of a query, by GitHub's rule. Every connection counts once per node of the enclosing connection. The sum of
 * these requests, divided by a hundred and rounded, is the cost in points, at least one. `nodeCount` is the largest
 * number of nodes that the query could return.
 */
export function costOf(execution: Execution, operation: Operation): { cost: number; nodeCount: number } {
  let requests = 0;
  let nodeCount = 0;
  const walk = (selections: readonly Selection[], parents: number) => {
    for (const selection of selections) {
      if (selection.kind === "spread") {
        walk(execution.document.fragments.get(selection.fragment)?.selections ?? [], parents);
        continue;
      }
      if (selection.kind === "inline") {
        walk(selection.selections, parents);
        continue;
      }
      const bound = selection.args.find(([name]) => name === "first" || name === "last");
      const count = bound ? Number(readValue(execution, bound[1]) ?? 0) : null;
      if (count !== null) {
        requests += parents;
        nodeCount += parents * count;
      }
      walk(selection.selections ?? [], parents * Math.max(1, count ?? 1));
    }
  };
  walk(operation.selections, 1);
  return { cost: Math.max(1, Math.round(requests / 100)), nodeCount };
}
