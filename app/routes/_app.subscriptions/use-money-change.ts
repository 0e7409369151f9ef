import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { type OneRequest, useRequest } from "#app/api/use-request.ts";
import { type Statuses, type SubscriptionView, statusesQuery } from "#app/money/billing-queries.ts";

/** The state is read once more so long after an edit or a cancellation, in ms (spec B-190). */
const REFRESH_MS = 10_000;

/** Reads the states once more in ten seconds, when the payment provider has reported the change. */
export function readStatesLater(client: QueryClient): void {
  setTimeout(() => void client.invalidateQueries({ queryKey: statusesQuery.queryKey }), REFRESH_MS);
}

/** A change of subscriptions: shown at once, and read again when the payment provider has reported it. */
export function useMoneyChange(): OneRequest & {
  /** Shows a platform's new state before it is read again. */
  show: (platform: string, change: Partial<SubscriptionView>) => void;
  /** Reads the states again in ten seconds. */
  refreshLater: () => void;
} {
  const client = useQueryClient();
  const request = useRequest();
  return {
    ...request,
    show(platform, change) {
      client.setQueryData<Statuses>(statusesQuery.queryKey, (known) => {
        const row = known?.[platform];
        if (!known || !row) return known;
        return { ...known, [platform]: { ...row, subscription: { ...row.subscription, ...change } } };
      });
    },
    refreshLater: () => readStatesLater(client),
  };
}
