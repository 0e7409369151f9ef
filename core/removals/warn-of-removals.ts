import { auditStatement, OURSELVES } from "#core/audit/index.ts";
import { GRACE_MS, LATEST_REMOVAL_MS } from "#core/billing/index.ts";
import { queueMail } from "#core/mail/index.ts";
import { checkoutUrlOf } from "#core/payments/index.ts";
import type { MailServices, Uses } from "#core/services.ts";
import { FIRST_WARNING_MS, SECOND_WARNING_MS } from "./limits.ts";
import {
  announceRemoval,
  isAnnounced,
  isWarnedAgain,
  type Lapsing,
  listLapsing,
  recordSecondWarning,
} from "./removal.store.ts";

type WarningServices = MailServices & Uses<"connectors">;

/**
 * Every hour: e-mails the owner fourteen and two days before the backups of an ended platform are removed (spec/README
 * "Grace"). A warning that is late postpones the removal, so that the days it names always remain.
 */
export async function warnOfRemovals(s: WarningServices): Promise<void> {
  let after: string | undefined = "";
  while (after !== undefined) {
    const now = s.clock.now();
    const lapsing = await listLapsing(s.control, {
      from: now - GRACE_MS - LATEST_REMOVAL_MS,
      to: now - GRACE_MS + FIRST_WARNING_MS,
      secondBefore: now + SECOND_WARNING_MS,
      after,
    });
    for (const each of lapsing) await warn(s, each, now);
    after = lapsing.at(-1)?.id;
  }
}

async function warn(s: WarningServices, plan: Lapsing, now: number): Promise<void> {
  const { organisationId, platform, endedAt, removalId } = plan;
  const isFirst = removalId === null;
  const id = removalId ?? s.ids.next("removal");
  const due = plan.removalAt ?? endedAt + GRACE_MS;
  const removalAt = Math.max(due, now + (isFirst ? FIRST_WARNING_MS : SECOND_WARNING_MS));
  const occasion = `removal-ahead-${isFirst ? 14 : 2}:${organisationId}:${platform}:${endedAt}`;
  const when = isFirst ? isAnnounced(id) : isWarnedAgain(id, now);
  const mail = await queueMail(s, {
    occasion,
    organisationId,
    recipient: plan.email,
    message: "removal-ahead",
    data: {
      platformLabel: s.connectors.get(platform)?.descriptor.label ?? platform,
      keptUntil: removalAt,
      timeZone: plan.timeZone,
      checkoutUrl: checkoutUrlOf(s.settings),
    },
    when,
  });
  const by = { organisationId, userId: null, userName: OURSELVES };
  const entry = auditStatement(s, { ...by, action: "removal-ahead", platform, occasion }, when);
  const alongside = [mail.statement, entry] as const;
  if (isFirst) {
    const row = { id, organisationId, platform, endedAt, removalAt, warnedAt: now };
    await announceRemoval(s.control, row, alongside);
  } else await recordSecondWarning(s.control, { organisationId, id, at: now, removalAt }, alongside);
  await s.queue.send([mail.job]);
}
