import { queueMail } from "#core/mail/index.ts";
import { FIRST_WARNING_MS, SECOND_WARNING_MS } from "#core/removals/index.ts";
import type { MailServices } from "#core/services.ts";
import { signInUrlOf } from "./close-account.ts";
import { type AheadClosure, isWarnedAt, listAheadClosures, warnStatement } from "./closure.store.ts";

const PAGE = 200;

/**
 * Every hour: e-mails the owner fourteen and two days before what a closed account held is removed. A warning that is late
 * postpones the removal, so that the days it names always remain.
 */
export async function warnOfClosures(s: MailServices): Promise<void> {
  let after: string | undefined = "";
  while (after !== undefined) {
    const now = s.clock.now();
    const [first, second] = [now + FIRST_WARNING_MS, now + SECOND_WARNING_MS];
    const ahead: AheadClosure[] = await listAheadClosures(s.control, { first, second, after, limit: PAGE });
    for (const each of ahead) await warn(s, each, now);
    after = ahead.length < PAGE ? undefined : ahead.at(-1)?.id;
  }
}

async function warn(s: MailServices, closure: AheadClosure, now: number): Promise<void> {
  const { id, organisationId, email, timeZone } = closure;
  const isFirst = closure.warnedAt === null;
  const removalAt = Math.max(closure.removalAt, now + (isFirst ? FIRST_WARNING_MS : SECOND_WARNING_MS));
  const mail = await queueMail(s, {
    occasion: `closure-ahead-${isFirst ? 14 : 2}:${id}`,
    organisationId,
    recipient: email,
    message: "account-closed",
    data: { isReminder: true, removalAt, timeZone, signInUrl: signInUrlOf(s) },
    when: isWarnedAt(id, now),
  });
  await s.control.batch([
    warnStatement(s.control, { organisationId, id, isFirst, at: now, removalAt }),
    mail.statement,
  ]);
  await s.queue.send([mail.job]);
}
