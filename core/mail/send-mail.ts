import type { ControlDatabase } from "#core/database/ledgers.ts";
import { type Clock, MINUTE_MS } from "#core/kernel/clock.ts";
import { logger } from "#core/kernel/logger.ts";
import { settleMail, takeMail } from "./mail.store.ts";
import { MailError, type Mailer } from "./mailer.ts";
import { contentOf } from "./messages/index.ts";
import { renderMail } from "./render-mail.tsx";
import { openMailData } from "./seal-data.ts";

/** A sender that has not finished after this time counts as crashed. Longer than the timeout of any mailer. */
const LEASE_MS = 10 * MINUTE_MS;
/** With pauses of 1, 2, 4 … 256 minutes between them, ten attempts outlast an overnight outage of the service. */
const MAX_ATTEMPTS = 10;

export type MailOutcome = "sent" | "nothing-to-do" | "failed";

/**
 * Sends one e-mail of the outbox. Messages may arrive repeatedly or concurrently: only the one that claims the row
 * sends, and a sent row is never claimed again. Only a crash between the service's acceptance and our update can send
 * twice, with the same key.
 * @throws MailError when the attempt failed and will be retried after a pause
 */
export async function sendMail(
  deps: { control: ControlDatabase; clock: Clock; mailer: Mailer; settings: { MASTER_KEYS: string } },
  mailId: string,
): Promise<MailOutcome> {
  const mail = await takeMail(deps.control, { id: mailId, now: deps.clock.now(), leaseMs: LEASE_MS });
  if (!mail) return "nothing-to-do";
  try {
    const content = contentOf(mail.message, await openMailData(deps, mail.id, mail.data));
    await deps.mailer.send({ key: mail.id, to: mail.recipient, ...renderMail(content) });
  } catch (cause) {
    const isOver = !(cause instanceof MailError) || cause.isPermanent || mail.attempts >= MAX_ATTEMPTS;
    const sentAt = isOver ? null : deps.clock.now() + 2 ** (mail.attempts - 1) * MINUTE_MS;
    await settleMail(deps.control, { id: mail.id, status: isOver ? "failed" : "queued", sentAt });
    if (!isOver) throw cause;
    logger("mail").error("e-mail {mailId} ({message}) failed for good: {cause}", {
      mailId: mail.id,
      message: mail.message,
      // Other errors may quote the content of the e-mail: a link, a code.
      cause: cause instanceof MailError ? cause.message : (cause as Error).name,
    });
    return "failed";
  }
  await settleMail(deps.control, { id: mail.id, status: "sent", sentAt: deps.clock.now() });
  return "sent";
}
