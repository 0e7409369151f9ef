import { DurableObject } from "cloudflare:workers";
import { type JobMessage, parseJob } from "#core/jobs/index.ts";
import { logger } from "#core/kernel/logger.ts";
import { buildServices } from "#workers/services.ts";
import { handle } from "./handle.ts";

const log = logger("runner");

/**
 * Runs one job in its own invocation, apart from the message that brought it: a queue consumer gets its next batch only
 * when the last one is done, so one slow job would delay all others. The work runs in an alarm, which has fifteen
 * minutes (Cloudflare, Durable Objects: alarms); a slice of a run takes at most eight.
 *
 * There is one object per job. It stores nothing while the job runs: if the job dies, the sweep or a cron queues it
 * again.
 */
export class Runner extends DurableObject<Env> {
  /** Accepts the job and returns. The job starts at once, or after the same job if that is still running. */
  async start(job: JobMessage): Promise<void> {
    await this.ctx.storage.put("job", job);
    await this.ctx.storage.setAlarm(Date.now());
  }

  override async alarm(): Promise<void> {
    const job = parseJob(await this.ctx.storage.get("job"));
    // An object without stored data costs nothing and is removed.
    await this.ctx.storage.deleteAll();
    if (!job) return;
    try {
      await handle(buildServices(this.env), job);
    } catch (cause) {
      log.error("job {job} could not be done and is asked for again by the clock", { job: job.job, cause });
    }
  }
}
