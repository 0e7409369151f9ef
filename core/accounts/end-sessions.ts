import type { AccountsDeps } from "./deps.ts";
import { deleteSessionsOf } from "./session.store.ts";

/**
 * Ends a person's sessions, all or all but one, with their live connections, and sign-ins that await a second factor.
 */
export async function endSessions(
  deps: Pick<AccountsDeps, "control" | "live">,
  { userId, exceptSessionId }: { userId: string; exceptSessionId?: string },
): Promise<void> {
  const { sessionIds, organisationId } = await deleteSessionsOf(deps.control, {
    userId,
    exceptSessionId: exceptSessionId ?? null,
  });
  if (organisationId === null) return;
  if (exceptSessionId === undefined) return deps.live.disconnect(organisationId, { userId });
  await Promise.all(sessionIds.map((sessionId) => deps.live.disconnect(organisationId, { sessionId })));
}
