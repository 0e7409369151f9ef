import { type JobMessage, type JobName, type JobPayload, parseJob } from "#core/jobs/index.ts";
import { logger } from "#core/kernel/logger.ts";
import { failDeadRun } from "#core/runs/index.ts";
import type { Services } from "#workers/services.ts";
import { handlers } from "./handlers.ts";

const log = logger("queues");
/** Seconds before a message is offered again whose handler could not even reach the ledger, or that nobody could read. */
const RETRY_SECONDS = 30;
const DEAD = /-dead$/;

/**
 * Consumes a batch of any queue. It never throws: a batch whose handler throws is redelivered whole, even what was
 * acknowledged. What a job did wrong is settled by its run; only a message that could not be handled at all is
 * retried here, and after the last retry its dead letter fails the run visibly.
 *
 * A message of a shape that this release does not know is retried too: while a deployment is under way the other
 * release may read it. Given up it loses no run, since the sweep offers every open run again in the present shape.
 */
export async function consume(services: Services, batch: MessageBatch<unknown>): Promise<void> {
  const isDead = DEAD.test(batch.queue);
  const handleOne = isDead ? bury : handle;
  await Promise.all(
    batch.messages.map(async (message) => {
      const job = parseJob(message.body);
      if (!job) {
        const outcome = isDead ? "given up" : "retried";
        log.error("a message of {queue} has an unknown shape and is {outcome}", {
          queue: batch.queue,
          outcome,
        });
        if (isDead) message.ack();
        else message.retry({ delaySeconds: RETRY_SECONDS });
        return;
      }
      try {
        await handleOne(services, job);
        message.ack();
      } catch (cause) {
        log.error("job {job} could not be handled and is retried", { job: job.job, cause });
        message.retry({ delaySeconds: RETRY_SECONDS });
      }
    }),
  );
}

function handle(services: Services, message: JobMessage): Promise<unknown> {
  const handler = handlers[message.job] as (s: Services, payload: JobPayload<JobName>) => Promise<unknown>;
  return handler(services, message.payload);
}

/** A dead letter: its run fails visibly. What has no run is found again: a mail in the outbox, a report by the clock. */
async function bury(services: Services, message: JobMessage): Promise<void> {
  if ("runId" in message.payload) await failDeadRun(services, message.payload);
}
