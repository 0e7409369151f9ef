import { parseJob } from "#core/jobs/index.ts";
import { logger } from "#core/kernel/logger.ts";
import type { Services } from "#workers/services.ts";
import { handle } from "./handle.ts";

const log = logger("queues");
/** Retry delay for a message whose job could not start, or that could not be parsed. */
const RETRY_SECONDS = 30;
const DEAD = /-dead$/;

/**
 * Consumes a batch of any queue. Mail is sent here. Every other job is handed to a runner, so that no message waits for
 * another message's job. Never throws: Cloudflare redelivers the whole batch of a throwing handler, even acknowledged
 * messages. A job's errors are recorded on its run; only a message that could not be handled at all is retried.
 * Messages of an unknown shape are retried too, because another release may be able to read them during a deployment.
 *
 * A dead letter does not end its run: the databases may have been unavailable, and the run may be sound. It is logged
 * and dropped, because its work is found again: runs by the sweep, mail in the outbox, reports by the crons.
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
