import type { AppLoadContext } from "@remix-run/cloudflare";
import { orFailure } from "#app/session/refusal.server.ts";
import { requireMember } from "#app/session/require-member.server.ts";
import { findChainHead, findTrailStart, listActions } from "#core/audit/index.ts";
import { listInvitees } from "#core/organisations/index.ts";
import { PRODUCT, parseAuditQuery, spanStart } from "./audit-query.ts";

/** Actions per page (spec B-095). */
const PER_PAGE = 50;

/** One page of the audit trail, newest first, with what its filters offer. `?page` starts at 0. */
export async function auditPage(context: AppLoadContext, request: Request) {
  const member = requireMember(context, request);
  const { services } = context;
  const query = parseAuditQuery(new URL(request.url).searchParams);
  const { page, person, platform, group, span, q } = query;
  const now = services.clock.now();
  const [{ actions, counts, total }, firstAt, head, people] = await orFailure(context, () =>
    Promise.all([
      listActions(services, member, {
        page,
        perPage: PER_PAGE,
        ...(person === "" ? {} : { userId: person === PRODUCT ? null : person }),
        ...(platform === "" ? {} : { platform }),
        ...(group === "" ? {} : { group }),
        ...(span === "" ? {} : { from: spanStart(span, now) }),
        ...(q === "" ? {} : { text: q }),
      }),
      findTrailStart(services, member),
      findChainHead(services),
      member.role === "owner" ? listInvitees(services, member) : null,
    ]),
  );
  const others = (people?.invitees ?? []).flatMap(({ sub, name, familyName }) =>
    name === null ? [] : [{ id: sub, name: `${name} ${familyName ?? ""}`.trim() }],
  );
  return {
    query,
    perPage: PER_PAGE,
    actions,
    counts,
    total,
    firstAt,
    /** The newest mark of the chain, shortened. */
    head: head === null ? null : `${head.slice(0, 4)}…${head.slice(-4)}`,
    people: [{ id: member.userId, name: member.name }, ...others],
    now,
  };
}

export type AuditPageData = Awaited<ReturnType<typeof auditPage>>;
