import type { AppLoadContext } from "@remix-run/cloudflare";
import { orFailure } from "#app/session/refusal.server.ts";
import { requireMember } from "#app/session/require-member.server.ts";
import { listActions } from "#core/audit/index.ts";

/** Actions per page (spec B-095). */
const PER_PAGE = 50;

/** One page of the audit trail, newest first. `?page` starts at 0. */
export async function auditPage(context: AppLoadContext, request: Request) {
  const member = requireMember(context, request);
  const asked = Number(new URL(request.url).searchParams.get("page"));
  const page = Number.isSafeInteger(asked) && asked > 0 && asked < 1_000_000 ? asked : 0;
  const { actions, total } = await orFailure(context, () =>
    listActions(context.services, member, { page, perPage: PER_PAGE }),
  );
  return { page, perPage: PER_PAGE, actions, total };
}
