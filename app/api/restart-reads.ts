import type { QueryClient, QueryKey } from "@tanstack/react-query";

/**
 * Starts the shown queries below this key again that are on their way. They began before what has just been learned, so
 * their answers would replace newer data with older.
 */
export function restartReads(client: QueryClient, queryKey: QueryKey): void {
  void client.refetchQueries({ queryKey, type: "active", fetchStatus: "fetching" });
}
