import type { ControlDatabase } from "#core/database/ledgers.ts";
import type { JobQueue } from "#core/jobs/index.ts";
import { type Clock, MINUTE_MS } from "#core/kernel/clock.ts";
import { listWaitingMail } from "./mail.store.ts";

/** An e-mail that waits longer has lost its job message, or is due again after a failure. */
const PATIENCE_MS = 5 * MINUTE_MS;

/** Queues e-mails that have waited too long. The sweep calls it. A queue accepts at most 100 messages at once. */
export async function requeueMail(deps: {
  control: ControlDatabase;
  clock: Clock;
  queue: JobQueue;
}): Promise<number> {
  const now = deps.clock.now();
  const ids = await listWaitingMail(deps.control, { before: now - PATIENCE_MS, now, limit: 100 });
  if (ids.length > 0) {
    await deps.queue.send(ids.map((mailId) => ({ job: "send-mail" as const, payload: { mailId } })));
  }
  return ids.length;
}
