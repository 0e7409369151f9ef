import type { JobMessage, JobName, JobPayload } from "#core/jobs/index.ts";
import { createMemory } from "#core/kernel/memory.ts";
import type { Services } from "#workers/services.ts";
import { handlers } from "./handlers.ts";

/** Runs a job to completion. @throws Any error that prevented the job; errors of its run are recorded on the run */
export async function handle(services: Services, message: JobMessage): Promise<void> {
  const handler = handlers[message.job] as (s: Services, payload: JobPayload<JobName>) => Promise<unknown>;
  await handler({ ...services, keys: createMemory() }, message.payload);
}
