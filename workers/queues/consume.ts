import { parseJob } from "#core/jobs/index.ts";
import { logger } from "#core/kernel/logger.ts";
import type { Services } from "#workers/services.ts";
import { handle } from "./handle.ts";

const log = logger("queues");
/** Seconds before a message is offered again whose job could not begin, or that nobody could read. */
const RETRY_SECONDS = 30;
const DEAD = /-dead$/;

/**
 * Consumes a batch of any queue. A mail is sent here; every other job is handed to a runner, so that no message waits for
 * another one's job. It never throws: a batch whose handler throws is redelivered whole, even what was
 * acknowledged. What a job did wrong is settled by its run; only a message that could not be handled at all is
 * retried here. A message of a shape that this release does not know is retried too: while a deployment is under way
 * the other release may read it.
 *
 * A dead letter ends no run: the databases may have been away for a while, and the run be sound. It is logged and
 * forgotten, for what it asked for is found again: a run by the sweep, a mail in the outbox, a report by the clock.
 */
export async function consume(services: Services, batch: MessageBatch<unknown>): Promise<void> {
  if (DEAD.test(batch.queue)) {
    log.error("{count} messages of {queue} were given up", {
      queue: batch.queue,
      count: batch.messages.length,
      jobs: batch.messages.map(({ body }) => parseJob(body)?.job ?? "unknown"),
    });
    batch.ackAll();
    return;
  }
  await Promise.all(
    batch.messages.map(async (message) => {
      const job = parseJob(message.body);
      if (!job) {
        log.error("a message of {queue} has an unknown shape and is retried", { queue: batch.queue });
        message.retry({ delaySeconds: RETRY_SECONDS });
        return;
      }
      try {
        if (job.job === "send-mail" || job.job === "write-account-mail") await handle(services, job);
        else await services.runners.start(job);
        message.ack();
      } catch (cause) {
        log.error("job {job} could not be handled and is retried", { job: job.job, cause });
        message.retry({ delaySeconds: RETRY_SECONDS });
      }
    }),
  );
}
