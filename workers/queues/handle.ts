import type { JobMessage, JobName, JobPayload } from "#core/jobs/index.ts";
import type { Services } from "#workers/services.ts";
import { handlers } from "./handlers.ts";

/** Does a job to its end. @throws Whatever kept the job from being done; what its run did wrong is settled by the run. */
export async function handle(services: Services, message: JobMessage): Promise<void> {
  const handler = handlers[message.job] as (s: Services, payload: JobPayload<JobName>) => Promise<unknown>;
  await handler(services, message.payload);
}
