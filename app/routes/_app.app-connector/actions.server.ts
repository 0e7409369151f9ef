import { type AppLoadContext, redirect } from "@remix-run/cloudflare";
import { callbackUrl } from "#app/session/callback-url.server.ts";
import { orRefusal } from "#app/session/refusal.server.ts";
import type { Refusal } from "#app/session/refusal.ts";
import { requireMember } from "#app/session/require-member.server.ts";
import { beginAuthorisation } from "#core/inventory/index.ts";
import { connectFormSchema } from "./form.schema.ts";

/** Remembers platform and region and goes to the provider's consent page. */
export async function beginConnecting(context: AppLoadContext, request: Request): Promise<{ error: string }> {
  const member = requireMember(context, request);
  const form = connectFormSchema.safeParse(Object.fromEntries(await request.formData()));
  if (!form.success) return { error: form.error.issues[0]?.message ?? "" };
  const { platform, region, change } = form.data;
  const redirectUri = callbackUrl(context.services, platform);
  const answer = await orRefusal(context, () =>
    beginAuthorisation(context.services, member, {
      platform,
      region,
      redirectUri,
      isChange: change === "true",
    }),
  );
  if (isRefused(answer)) return { error: answer.message };
  throw redirect(answer.value.url);
}

function isRefused(answer: { ok: boolean }): answer is Refusal {
  return !answer.ok;
}
