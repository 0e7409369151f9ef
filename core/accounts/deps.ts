import type { ControlDatabase } from "#core/database/ledgers.ts";
import type { Clock } from "#core/kernel/clock.ts";
import type { IdSource } from "#core/kernel/ids.ts";

/** What identity needs of the services. */
export type AccountsDeps = {
  control: ControlDatabase;
  clock: Clock;
  ids: IdSource;
  settings: {
    PUBLIC_URL: string;
    AUTH_SECRET: string;
    MASTER_KEYS: string;
    SESSION_TIMEOFF: "on" | "off";
  };
};
