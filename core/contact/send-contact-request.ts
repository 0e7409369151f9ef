import { countForAddress, countOrRefuse, type Limit } from "#core/accounts/index.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";
import type { JobQueue } from "#core/jobs/index.ts";
import { type Clock, DAY_MS, HOUR_MS } from "#core/kernel/clock.ts";
import type { IdSource } from "#core/kernel/ids.ts";
import { queueMail } from "#core/mail/index.ts";
import type { Member } from "#core/organisations/index.ts";
import type { ContactOrder } from "./contact.schema.ts";

/** Questions per network address. */
const FROM_ADDRESS: Limit = {
  name: "contact-address",
  most: 5,
  windowMs: HOUR_MS,
  code: "err.attempts.limit",
};
/** Questions per e-mail address, from any network address. */
const FROM_EMAIL: Limit = { name: "contact-email", most: 10, windowMs: DAY_MS, code: "err.attempts.limit" };

/**
 * Forwards a question to our support address. Anyone may ask, signed in or not, because pages without a sign-in link to
 * the form. The product sends nothing to the given address, so nobody can be spammed in someone else's name.
 * @throws AppError `err.attempts.limit`
 */
export async function sendContactRequest(
  deps: {
    control: ControlDatabase;
    clock: Clock;
    ids: IdSource;
    queue: JobQueue;
    settings: { MASTER_KEYS: string; LINK_KEYS: string; PUBLIC_URL: string; CONTACT_EMAIL: string };
  },
  order: ContactOrder,
  { headers, member }: { headers: Headers; member: Member | null },
): Promise<void> {
  await countForAddress(deps, FROM_ADDRESS, headers);
  await countOrRefuse(deps, FROM_EMAIL, order.email);
  const mail = await queueMail(deps, {
    occasion: `contact-request:${deps.ids.next("contact")}`,
    organisationId: member?.organisationId ?? null,
    recipient: deps.settings.CONTACT_EMAIL,
    message: "contact-request",
    data: {
      ...order,
      sentAt: deps.clock.now(),
      signedInAs: member
        ? { userId: member.userId, organisationId: member.organisationId, email: member.email }
        : null,
    },
  });
  await mail.statement;
  await deps.queue.send([mail.job]);
}
