import { DurableObject } from "cloudflare:workers";
import { type JobMessage, parseJob } from "#core/jobs/index.ts";
import { logger } from "#core/kernel/logger.ts";
import { buildServices } from "#workers/services.ts";
import { handle } from "./handle.ts";

const log = logger("runner");

/**
 * Does one job in an invocation of its own, apart from the message that brought it: a queue's consumer gets its next batch
 * only when the last one is through, so that a slow job would hold back everybody's. The work happens in an alarm, which
 * has fifteen minutes (Cloudflare, Durable Objects: alarms); a slice of a run takes eight at most.
 *
 * There is one object for each job. Nothing is kept in it while the job runs: should the job die, the sweep or the clock
 * asks for it again.
 */
export class Runner extends DurableObject<Env> {
  /** Takes the job and returns; it begins at once, or after the same job that is under way. */
  async start(job: JobMessage): Promise<void> {
    await this.ctx.storage.put("job", job);
    await this.ctx.storage.setAlarm(Date.now());
  }

  override async alarm(): Promise<void> {
    const job = parseJob(await this.ctx.storage.get("job"));
    // An object without anything stored costs nothing and is forgotten.
    await this.ctx.storage.deleteAll();
    if (!job) return;
    try {
      await handle(buildServices(this.env), job);
    } catch (cause) {
      log.error("job {job} could not be done and is asked for again by the clock", { job: job.job, cause });
    }
  }
}
