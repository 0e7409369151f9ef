import { recordAction, sessionOccasion } from "#core/audit/index.ts";
import { formatCookie } from "./cookies.ts";
import type { AccountsDeps } from "./deps.ts";
import { endCarriedSession } from "./new-session.ts";

/**
 * Ends the session that the headers carry, closes its sockets and writes the logout to the audit trail. Signing out
 * twice changes nothing.
 */
export async function signOut(
  deps: Pick<AccountsDeps, "control" | "settings" | "clock" | "ids" | "live">,
  headers: Headers,
): Promise<{ setCookie: string[] }> {
  const ended = await endCarriedSession(deps, headers);
  if (ended) {
    await recordAction(deps, {
      organisationId: ended.member.organisationId,
      userId: ended.member.userId,
      userName: ended.member.name,
      action: "logout",
      occasion: sessionOccasion("logout", ended.session.id),
    });
  }
  return { setCookie: [formatCookie(deps, { name: "session_token", value: "", maxAgeMs: 0 })] };
}
