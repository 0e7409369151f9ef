import { type AppLoadContext, redirect } from "@remix-run/cloudflare";
import { cookieHeaders } from "#app/session/cookie-headers.ts";
import { signOut } from "#core/accounts/index.ts";

/** Ends the session on the server and forgets its cookie. */
export async function endSession(context: AppLoadContext, request: Request) {
  const { setCookie } = await signOut(context.services, request.headers);
  return redirect("/auth/login", { headers: cookieHeaders(setCookie) });
}
