import type { EntryKinds, RestoreEvent } from "#connectors/contract/platform-connector.ts";
import type { CallLimit, PlanLine, RestoreCost, RestorePlan } from "#connectors/contract/restore-plan.ts";

type CallCounts = Omit<RestoreCost, "limits">;

/** Collects the plan of a restore, part by part. */
export type PlanSheet = {
  /** Adds things that will be created; the restore's report counts them under the same kind. */
  creates(kind: string, count: number): void;
  /** Adds a report line that is known in advance; ignores lines of other types. */
  tell(line: RestoreEvent): void;
  /** Adds calls, pauses and bytes, multiplied by `times`. */
  spend(calls: Partial<CallCounts>, times?: number): void;
  /** Marks the plan as an estimate from a sample. */
  estimate(): void;
  /** Returns the plan. `slower` has the limits in practice, if they are lower than documented. */
  done(slower?: { reason: string; limits: readonly CallLimit[] }): RestorePlan;
};

const NOTHING: CallCounts = { reads: 0, writes: 0, creations: 0, waitMs: 0, bytes: 0 };
const keys = Object.keys(NOTHING) as (keyof CallCounts)[];

/** Opens an empty sheet. `words` lists the kinds in display order. */
export function openPlanSheet(words: EntryKinds, limits: readonly CallLimit[]): PlanSheet {
  const counts = new Map<string, number>();
  const lines = { changed: [] as PlanLine[], impossible: [] as PlanLine[], missing: [] as PlanLine[] };
  const sum = { ...NOTHING };
  let isEstimate = false;
  return {
    creates: (kind, count) => {
      if (count > 0) counts.set(kind, (counts.get(kind) ?? 0) + Math.round(count));
    },
    tell: (line) => {
      if (line.type !== "changed" && line.type !== "impossible" && line.type !== "missing") return;
      lines[line.type].push({ what: line.what, reason: line.reason });
    },
    spend: (calls, times = 1) => {
      for (const key of keys) sum[key] += (calls[key] ?? 0) * times;
    },
    estimate: () => {
      isEstimate = true;
    },
    done: (slower) => {
      const order = Object.keys(words);
      const placeOf = (kind: string) => (order.indexOf(kind) + order.length + 1) % (order.length + 1);
      const creates = [...counts].map(([kind, count]) => ({
        kind,
        count,
        ...(words[kind] ?? { one: kind, many: kind }),
      }));
      creates.sort((a, b) => placeOf(a.kind) - placeOf(b.kind));
      const total = Object.fromEntries(keys.map((key) => [key, Math.round(sum[key])])) as CallCounts;
      return {
        ...{ creates, isEstimate, ...lines, cost: { ...total, limits } },
        slower: slower ? { reason: slower.reason, cost: { ...total, limits: slower.limits } } : null,
      };
    },
  };
}
