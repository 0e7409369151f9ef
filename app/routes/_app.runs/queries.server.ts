import type { AppLoadContext } from "@remix-run/cloudflare";
import { donePageOf } from "#app/runs/done-page.ts";
import { orFailure } from "#app/session/refusal.server.ts";
import { requireMember } from "#app/session/require-member.server.ts";
import { listRuns } from "#core/rounds/index.ts";

/** The runs of today, with the page of ended ones that the address names. */
export async function runsPage(context: AppLoadContext, request: Request) {
  const member = requireMember(context, request);
  const done = donePageOf(new URL(request.url).searchParams);
  const view = await orFailure(context, () => listRuns(context.services, member, done));
  return { done, view };
}
