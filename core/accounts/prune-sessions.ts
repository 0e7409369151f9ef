import type { AccountsDeps } from "./deps.ts";
import { deleteExpired } from "./session.store.ts";

/**
 * Deletes expired sessions, counters, challenges, codes, sign-ups, used links, federation attempts and codes of hosts, once an
 * hour.
 */
export async function pruneSessions(deps: Pick<AccountsDeps, "control" | "clock">): Promise<void> {
  await deleteExpired(deps.control, deps.clock.now());
}
