import type { ControlDatabase } from "#core/database/ledgers.ts";
import type { JobQueue } from "#core/jobs/index.ts";
import type { Clock } from "#core/kernel/clock.ts";
import type { IdSource } from "#core/kernel/ids.ts";
import type { LivePublisher } from "#core/live/publisher.ts";
import type { Frame } from "./frame.schema.ts";
import type { Passwords } from "./passwords.ts";

/** The services that identity uses. */
export type AccountsDeps = {
  control: ControlDatabase;
  clock: Clock;
  ids: IdSource;
  queue: JobQueue;
  live: LivePublisher;
  passwords: Passwords;
  settings: {
    PUBLIC_URL: string;
    AUTH_SECRET: string;
    MASTER_KEYS: string;
    LINK_KEYS: string;
    RESTRICTED_MODE: "on" | "off";
    /** The frame in which the request's page is shown; absent outside of one. */
    FRAME?: Frame;
  };
};
