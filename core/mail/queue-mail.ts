import type { ControlDatabase } from "#core/database/ledgers.ts";
import type { JobMessage } from "#core/jobs/index.ts";
import type { Clock } from "#core/kernel/clock.ts";
import type { IdSource } from "#core/kernel/ids.ts";
import { insertMail } from "./mail.store.ts";
import { type MessageData, type MessageName, messages } from "./messages/index.ts";

/** An e-mail to be written together with its cause. */
export type MailOrder<N extends MessageName = MessageName> = {
  /** Names the occasion, e.g. `zip-ready:exp_…:ann@example.com`; the same occasion is written once, ever. */
  occasion: string;
  organisationId: string | null;
  recipient: string;
  message: N;
  data: MessageData<N>;
};

/**
 * Prepares an e-mail: a statement for the batch of its cause on the control database, and the job that sends it, to
 * be queued after the batch. When the job is lost, `requeueMail` sends another.
 * @throws ZodError when the data is not the message's
 */
export function queueMail<N extends MessageName>(
  deps: { control: ControlDatabase; clock: Clock; ids: IdSource },
  order: MailOrder<N>,
): { statement: ReturnType<typeof insertMail>; job: JobMessage } {
  const id = deps.ids.next("mail");
  const statement = insertMail(deps.control, {
    id,
    ...order,
    data: messages[order.message].data.parse(order.data),
    createdAt: deps.clock.now(),
  });
  return { statement, job: { job: "send-mail", payload: { mailId: id } } };
}
