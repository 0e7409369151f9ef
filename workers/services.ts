import type { PlatformConnector } from "#connectors/contract/platform-connector.ts";
import {
  type ControlDatabase,
  controlDatabase,
  type LedgerDatabase,
  ledgerDatabase,
  vaultBucket,
} from "#core/database/ledgers.ts";
import type { JobQueue } from "#core/jobs/index.ts";
import { type Clock, systemClock } from "#core/kernel/clock.ts";
import { type IdSource, randomIds } from "#core/kernel/ids.ts";
import type { Region } from "#core/kernel/platform-id.ts";
import type { LivePublisher } from "#core/live/publisher.ts";
import { readSettings, type Settings } from "./env.ts";

/**
 * Everything the rules need, built once per invocation. The only place that knows all rooms; each core function
 * asks for the part it uses.
 */
export type Services = {
  settings: Settings;
  clock: Clock;
  ids: IdSource;
  control: ControlDatabase;
  ledger: (region: Region) => LedgerDatabase;
  bucket: (region: Region) => R2Bucket;
  connectors: ReadonlyMap<string, PlatformConnector>;
  queue: JobQueue;
  live: LivePublisher;
};

/** Builds the services of one invocation. */
export function buildServices(env: Env): Services {
  return {
    settings: readSettings(env),
    clock: systemClock,
    ids: randomIds,
    control: controlDatabase(env),
    ledger: (region) => ledgerDatabase(env, region),
    bucket: (region) => vaultBucket(env, region),
    connectors: new Map(),
    queue: { send: async () => {} },
    live: { publish: async () => {} },
  };
}
