import { pruneSessions } from "#core/accounts/index.ts";
import { queueAutoAdds, sweepRemovedConnections } from "#core/inventory/index.ts";
import { HOUR_DUTIES, type JobPayload, MINUTE_DUTIES } from "#core/jobs/index.ts";
import { logger } from "#core/kernel/logger.ts";
import { REGIONS } from "#core/kernel/platform-id.ts";
import { pruneMail, requeueMail } from "#core/mail/index.ts";
import { rewrapKeys } from "#core/organisations/index.ts";
import { sweepPhotos } from "#core/profiles/index.ts";
import { sendReports } from "#core/reports/index.ts";
import type { Services } from "#workers/services.ts";

const log = logger("crons");

type Tick = {
  /** What every ledger is looked at for, by a message for each: a ledger that is away holds back no other. */
  duties: readonly JobPayload<"tend-ledger">["duty"][];
  /** Rules about everything else. */
  rules: readonly ((services: Services) => Promise<unknown>)[];
};

/**
 * Cron line → what it asks for; the lines stand in `wrangler.toml`. A tick only says "look now": each rule may be
 * repeated, skipped or late. One that fails must not keep the others from running.
 */
const TICKS: Record<string, Tick> = {
  "* * * * *": { duties: MINUTE_DUTIES, rules: [requeueMail, queueAutoAdds] },
  "17 * * * *": {
    duties: HOUR_DUTIES,
    rules: [pruneSessions, pruneMail, sweepPhotos, rewrapKeys, sendReports, sweepRemovedConnections],
  },
};

/** Does what a tick asks for. */
export async function onTick(services: Services, cron: string): Promise<void> {
  const tick = TICKS[cron];
  if (!tick) return;
  const { duties, rules } = tick;
  await services.queue.send(
    REGIONS.flatMap((region) =>
      duties.map((duty) => ({ job: "tend-ledger" as const, payload: { region, duty } })),
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
