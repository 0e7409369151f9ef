import type { SQL } from "drizzle-orm";
import type { ControlDatabase } from "#core/database/ledgers.ts";
import type { JobMessage } from "#core/jobs/index.ts";
import type { Clock } from "#core/kernel/clock.ts";
import type { IdSource } from "#core/kernel/ids.ts";
import { insertMail } from "./mail.store.ts";
import { type MessageData, type MessageName, messages } from "./messages/index.ts";
import { sealMailData } from "./seal-data.ts";

/** An e-mail that is written together with its cause. */
export type MailOrder<N extends MessageName = MessageName> = {
  /** Names the occasion, e.g. `zip-ready:exp_…:ann@example.com`. Each occasion is written only once. */
  occasion: string;
  organisationId: string | null;
  recipient: string;
  message: N;
  data: MessageData<N>;
  /** A condition, evaluated at its position in the batch. Nothing is written when it is false. */
  when?: SQL;
};

export type QueueMailDeps = {
  control: ControlDatabase;
  clock: Clock;
  ids: IdSource;
  settings: { MASTER_KEYS: string };
};

/** The statement for the batch of the cause, and the job to queue after it. */
export type QueuedMailOrder = { statement: ReturnType<typeof insertMail>; job: JobMessage };

/**
 * Prepares an e-mail: a statement for the batch of its cause on the control database, and the job that sends it, to be
 * queued after the batch. If the job is lost, `requeueMail` queues another. The data is stored sealed.
 * @throws ZodError for invalid data
 */
export async function queueMail<N extends MessageName>(
  deps: QueueMailDeps,
  { when, ...order }: MailOrder<N>,
): Promise<QueuedMailOrder> {
  const id = deps.ids.next("mail");
  const data = await sealMailData(deps, id, messages[order.message].data.parse(order.data));
  const statement = insertMail(deps.control, { id, ...order, data, createdAt: deps.clock.now() }, when);
  return { statement, job: { job: "send-mail", payload: { mailId: id } } };
}
