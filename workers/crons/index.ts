import { pruneSessions } from "#core/accounts/index.ts";
import { watchStaleness } from "#core/alarms/index.ts";
import { dispatchDue, nightWatch } from "#core/backups/index.ts";
import { queueAutoAdds, sweepRemovedConnections } from "#core/inventory/index.ts";
import { logger } from "#core/kernel/logger.ts";
import { pruneMail, requeueMail } from "#core/mail/index.ts";
import { rewrapKeys } from "#core/organisations/index.ts";
import { sweepPhotos } from "#core/profiles/index.ts";
import { catchUpReplicas } from "#core/replicas/index.ts";
import { sendReports } from "#core/reports/index.ts";
import { sweepLostRuns } from "#core/runs/index.ts";
import type { Services } from "#workers/services.ts";

const log = logger("crons");

/**
 * Cron line → rules; the lines stand in `wrangler.toml`. A tick only says "look now": each rule may be repeated,
 * skipped or late. One that fails must not keep the others from running.
 */
const RULES: Record<string, readonly ((services: Services) => Promise<unknown>)[]> = {
  "* * * * *": [dispatchDue, sweepLostRuns, requeueMail, queueAutoAdds, catchUpReplicas],
  "17 * * * *": [
    nightWatch,
    watchStaleness,
    pruneSessions,
    pruneMail,
    sweepPhotos,
    rewrapKeys,
    sendReports,
    sweepRemovedConnections,
  ],
};

/** Runs what a tick asks for. */
export async function onTick(services: Services, cron: string): Promise<void> {
  for (const rule of RULES[cron] ?? []) {
    try {
      await rule(services);
    } catch (cause) {
      log.error("{rule} failed and is tried again at the next tick", { rule: rule.name, cause });
    }
  }
}
