import type { AccountsDeps } from "./deps.ts";
import { deleteExpired } from "./session.store.ts";

/** Removes what has ended: sessions, counters, challenges, codes, sign-ups, used links; the hourly sweep calls it. */
export async function pruneSessions(deps: Pick<AccountsDeps, "control" | "clock">): Promise<void> {
  await deleteExpired(deps.control, deps.clock.now());
}
