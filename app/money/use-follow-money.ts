import { useQueryClient } from "@tanstack/react-query";
import { useLiveEvents } from "#app/live/use-live-events.tsx";

/** What follows a change at the payment provider. Prices that are shown stay: their quotes are binding. */
const FOLLOWED = ["statuses", "account", "payments", "latest-invoice"] as const;

/**
 * Reads what a page shows of money again when the server learned of a change, by the provider's event, its cron or another
 * tab. Off while a payment is under way, whose page waits for the change itself.
 */
export function useFollowMoney(isOn = true): void {
  const client = useQueryClient();
  useLiveEvents((signal) => {
    const isNews = signal.kind === "resync" || signal.event.method === "subscription-changed";
    if (!isOn || !isNews) return;
    for (const what of FOLLOWED) void client.invalidateQueries({ queryKey: ["money", what] });
  });
}
