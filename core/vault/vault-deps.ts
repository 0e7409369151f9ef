import type { Clock } from "#core/kernel/clock.ts";
import type { IdSource } from "#core/kernel/ids.ts";
import type { Bucket } from "./bucket.ts";
import type { OrganisationKey } from "./keys.ts";
import type { ObjectRegistry } from "./types.ts";

/** What reading from a vault needs. */
export type VaultReadDeps = { bucket: Bucket; organisationKey: OrganisationKey };

/** What writing to a vault needs. */
export type VaultDeps = VaultReadDeps & { registry: ObjectRegistry; ids: IdSource; clock: Clock };
