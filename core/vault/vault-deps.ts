import type { IdSource } from "#core/kernel/ids.ts";
import type { Bucket } from "./bucket.ts";
import type { OrganisationKey } from "./keys.ts";
import type { ObjectRegistry } from "./types.ts";

/** Dependencies for reading from a vault. */
export type VaultReadDeps = { bucket: Bucket; organisationKey: OrganisationKey };

/** Dependencies for writing to a vault. */
export type VaultDeps = VaultReadDeps & { registry: ObjectRegistry; ids: IdSource };
