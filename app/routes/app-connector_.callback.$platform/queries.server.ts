import { type AppLoadContext, redirect } from "@remix-run/cloudflare";
import { callbackUrl } from "#app/session/callback-url.server.ts";
import { orRefusal } from "#app/session/refusal.server.ts";
import { requireMember } from "#app/session/require-member.server.ts";
import { completeAuthorisation } from "#core/inventory/index.ts";
import { ERROR_CODES } from "#core/kernel/error-codes.ts";

/** Ends connecting: on to the platform's items, or back to the wizard with the reason (spec B-280). */
export async function finishConnecting(context: AppLoadContext, request: Request, platform: string) {
  const member = requireMember(context, request);
  const { searchParams } = new URL(request.url);
  const code = searchParams.get("code");
  const state = searchParams.get("state");
  if (!code || !state) {
    const reason = searchParams.has("error") ? "err.connection.denied" : "err.connection.state";
    return redirect(wizard(platform, ERROR_CODES[reason].message));
  }
  const redirectUri = callbackUrl(context.services, platform);
  const answer = await orRefusal(context, () =>
    completeAuthorisation(context.services, member, { platform, state, code, redirectUri }),
  );
  if (!answer.ok) return redirect(wizard(platform, answer.message));
  return redirect(`/platform/dashboard/${encodeURIComponent(platform)}?connected=true`);
}

function wizard(platform: string, message: string): string {
  return `/app-connector?${new URLSearchParams({ platform, error_message: message })}`;
}
