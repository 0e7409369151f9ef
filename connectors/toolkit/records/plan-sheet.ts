import type { EntryKinds, RestoreEvent } from "#connectors/contract/platform-connector.ts";
import type { CallLimit, PlanLine, RestoreCost, RestorePlan } from "#connectors/contract/restore-plan.ts";

type CallCounts = Omit<RestoreCost, "limits">;

/** What a plan of a restore is written on, part by part. */
export type PlanSheet = {
  /** So many of a kind will be created; the restore's report counts them under the same kind. */
  creates(kind: string, count: number): void;
  /** A line of the report that is known before; lines of other types are left out. */
  tell(line: RestoreEvent): void;
  /** Calls, pauses and bytes, as many times as told. */
  spend(calls: Partial<CallCounts>, times?: number): void;
  /** From here on numbers come from a sample. */
  estimate(): void;
  /** The plan; with the limits that the platform may set in truth, where these are lower than what it promises. */
  done(slower?: { reason: string; limits: readonly CallLimit[] }): RestorePlan;
};

const NOTHING: CallCounts = { reads: 0, writes: 0, creations: 0, waitMs: 0, bytes: 0 };
const keys = Object.keys(NOTHING) as (keyof CallCounts)[];

/** Opens an empty sheet. `words` are the kinds in the order in which people read them. */
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
