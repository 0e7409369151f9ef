import type { AccountsDeps } from "./deps.ts";
import { deleteExpired } from "./session.store.ts";

/** Removes ended sessions and old attempt counters; the hourly sweep calls it. */
export async function pruneSessions(deps: Pick<AccountsDeps, "control" | "clock">): Promise<void> {
  await deleteExpired(deps.control, deps.clock.now());
}
