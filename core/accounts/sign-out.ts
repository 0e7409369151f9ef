import { sha256Hex } from "#core/kernel/crypto.ts";
import type { LivePublisher } from "#core/live/publisher.ts";
import { isSecure, sessionCookieName } from "./auth.ts";
import type { AccountsDeps } from "./deps.ts";
import { findMember, readToken } from "./find-member.ts";
import { deleteSession } from "./session.store.ts";

/** Ends the session that the headers carry, on the server, sockets included; signing out twice changes nothing. */
export async function signOut(
  deps: Pick<AccountsDeps, "control" | "settings" | "clock"> & { live: LivePublisher },
  headers: Headers,
): Promise<{ setCookie: string[] }> {
  const token = readToken(deps, headers);
  const signedIn = await findMember(deps, headers);
  if (signedIn) {
    await deps.live.disconnect(signedIn.member.organisationId, { sessionId: signedIn.session.id });
  }
  if (token) await deleteSession(deps.control, await sha256Hex(token));
  const secure = isSecure(deps) ? "; Secure" : "";
  return { setCookie: [`${sessionCookieName(deps)}=; Max-Age=0; Path=/; HttpOnly${secure}; SameSite=Lax`] };
}
