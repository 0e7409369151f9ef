/** A transition of a workflow; `from` is empty for one that starts anywhere. */
export type Edge = { id: string; from: readonly string[]; to: string };

/** A workflow: its transitions, and the status of new issues (null = unknown). */
export type Workflow = { initial: string | null; edges: readonly Edge[] };

/**
 * The transitions that lead from one status to another over the fewest steps (breadth first); among equals those that
 * the workflow lists first. Empty = it is there already; null = no way leads there.
 */
export function pathTo({ edges }: Workflow, from: string, to: string): Edge[] | null {
  const cameBy = new Map<string, { edge: Edge; before: string } | null>([[from, null]]);
  const waiting = [from];
  for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) {
    if (at === to) return unroll(cameBy, to);
    for (const edge of edges) {
      const starts = edge.from.length === 0 || edge.from.includes(at);
      if (!starts || cameBy.has(edge.to)) continue;
      cameBy.set(edge.to, { edge, before: at });
      waiting.push(edge.to);
    }
  }
  return null;
}

function unroll(cameBy: ReadonlyMap<string, { edge: Edge; before: string } | null>, to: string): Edge[] {
  const path: Edge[] = [];
  for (let step = cameBy.get(to); step; step = cameBy.get(step.before)) path.unshift(step.edge);
  return path;
}
