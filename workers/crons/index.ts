import { pruneSessions } from "#core/accounts/index.ts";
import { anchorAudit, sealAudit } from "#core/audit/index.ts";
import { pruneAuthorisations, sweepRemovedConnections } from "#core/connections/index.ts";
import { queueDump } from "#core/dumps/index.ts";
import { endSilentHosts } from "#core/embedding/index.ts";
import { queueAutoAdds, queueFits } from "#core/inventory/index.ts";
import { HOUR_DUTIES, type JobPayload, MINUTE_DUTIES, placeOf } from "#core/jobs/index.ts";
import { logger } from "#core/kernel/logger.ts";
import { pruneMail, requeueMail } from "#core/mail/index.ts";
import { settleMoves } from "#core/moves/index.ts";
import { rewrapKeys } from "#core/organisations/index.ts";
import { endClosedSubscriptions, queueClosures, warnOfClosures } from "#core/ownership/index.ts";
import {
  prunePaymentEvents,
  recalculateSubscriptions,
  reconcilePayments,
  sendPaymentNotices,
} from "#core/payments/index.ts";
import { measureShards } from "#core/placement/index.ts";
import { queuePeopleReports } from "#core/privacy/index.ts";
import { sweepPhotos } from "#core/profiles/index.ts";
import { queueRemovals, warnOfRemovals } from "#core/removals/index.ts";
import { sendReports } from "#core/reports/index.ts";
import { queueSeatCounts } from "#core/seats/index.ts";
import type { Services } from "#workers/services.ts";

const log = logger("crons");

type Tick = {
  /** Duties for every ledger. Each ledger gets its own message, so an unavailable ledger does not block the others. */
  duties: readonly JobPayload<"tend-ledger">["duty"][];
  /** Functions for everything that is not in a ledger. */
  rules: readonly ((services: Services) => Promise<unknown>)[];
};

/**
 * Cron expression → its work. The expressions are defined in `wrangler.toml`. A tick may be repeated, skipped or late.
 * A failing function does not prevent the others from running.
 */
const TICKS: Record<string, Tick> = {
  "* * * * *": {
    duties: MINUTE_DUTIES,
    rules: [
      settleMoves,
      requeueMail,
      queueAutoAdds,
      queueSeatCounts,
      queuePeopleReports,
      sealAudit,
      reconcilePayments,
      recalculateSubscriptions,
      queueFits,
      endClosedSubscriptions,
    ],
  },
  "17 * * * *": {
    duties: HOUR_DUTIES,
    rules: [
      pruneSessions,
      endSilentHosts,
      pruneMail,
      sweepPhotos,
      rewrapKeys,
      sendReports,
      sweepRemovedConnections,
      pruneAuthorisations,
      anchorAudit,
      prunePaymentEvents,
      sendPaymentNotices,
      warnOfRemovals,
      queueRemovals,
      warnOfClosures,
      queueClosures,
      queueDump,
      measureShards,
    ],
  },
};

/** Runs the work of a tick. */
export async function onTick(services: Services, cron: string): Promise<void> {
  const tick = TICKS[cron];
  if (!tick) return;
  const { duties, rules } = tick;
  await services.queue.send(
    services.shards.flatMap((shard) =>
      duties.map((duty) => ({ job: "tend-ledger" as const, payload: { ...placeOf(shard), duty } })),
    ),
  );
  for (const rule of rules) {
    try {
      await rule(services);
    } catch (cause) {
      log.error("{rule} failed and is tried again at the next tick", { rule: rule.name, cause });
    }
  }
}
