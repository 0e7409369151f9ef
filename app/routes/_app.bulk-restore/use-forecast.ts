import { useEffect, useState } from "react";
import { ApiError } from "#app/api/call-api.ts";
import { fetchRestorePlan } from "#app/api/fetch-restore-plan.ts";
import type { BulkItem } from "#app/bulk/bulk-items.schema.ts";

/** Number of plans fetched in parallel. */
const AT_ONCE = 4;

/** The total cost of all restores: calls to the platform, and time at its limits in ms. */
export type Forecast = { calls: number; durationMs: number };

/**
 * Sums up the cost of every item's restore. All restores share one account's limits, so their times add up.
 *
 * @returns null while plans are loading, and when one fails: a partial sum would be misleading
 */
export function useForecast(
  items: readonly Pick<BulkItem, "id" | "ver">[],
  options: Readonly<Record<string, boolean>>,
): Forecast | null {
  const [forecast, setForecast] = useState<Forecast | null>(null);
  const wanted = JSON.stringify({ orders: items.map(({ id, ver }) => [id, ver]), options });
  useEffect(() => {
    const abort = new AbortController();
    setForecast(null);
    addUp(JSON.parse(wanted) as Wanted, abort).then(
      (sum) => setForecast(sum),
      (error: unknown) => {
        abort.abort();
        const isMeant = error instanceof ApiError || (error as Error).name === "AbortError";
        if (!isMeant) throw error;
      },
    );
    return () => abort.abort();
  }, [wanted]);
  return forecast;
}

type Wanted = { orders: [itemId: string, snapshotId: string][]; options: Record<string, boolean> };

async function addUp({ orders, options }: Wanted, { signal }: AbortController): Promise<Forecast> {
  const sum = { calls: 0, durationMs: 0 };
  async function work(): Promise<void> {
    for (let order = orders.pop(); order !== undefined; order = orders.pop()) {
      const [itemId, snapshotId] = order;
      const { cost } = await fetchRestorePlan({ itemId, snapshotId, options, signal });
      sum.calls += cost.calls;
      sum.durationMs += cost.durationMs;
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return sum;
}
