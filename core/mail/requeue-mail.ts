import type { ControlDatabase } from "#core/database/ledgers.ts";
import type { JobQueue } from "#core/jobs/index.ts";
import { type Clock, MINUTE_MS } from "#core/kernel/clock.ts";
import { listWaitingMail } from "./mail.store.ts";

/** An e-mail that waits longer than this has lost its job message, or failed and is due again. */
const PATIENCE_MS = 5 * MINUTE_MS;

/** Queues again what waits too long; the sweep calls it. A queue takes at most 100 messages at once. */
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
