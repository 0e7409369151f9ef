import { sha256Hex } from "#core/kernel/crypto.ts";
import { isSecure, sessionCookieName } from "./auth.ts";
import type { AccountsDeps } from "./deps.ts";
import { readToken } from "./find-member.ts";
import { deleteSession } from "./session.store.ts";

/** Ends the session that the headers carry, on the server; signing out twice changes nothing. */
export async function signOut(
  deps: Pick<AccountsDeps, "control" | "settings">,
  headers: Headers,
): Promise<{ setCookie: string[] }> {
  const token = readToken(deps, headers);
  if (token) await deleteSession(deps.control, await sha256Hex(token));
  const secure = isSecure(deps) ? "; Secure" : "";
  return { setCookie: [`${sessionCookieName(deps)}=; Max-Age=0; Path=/; HttpOnly${secure}; SameSite=Lax`] };
}
