import { AppError } from "#core/kernel/app-error.ts";
import type { Region } from "#core/kernel/platform-id.ts";
import { getOrganisationKey } from "#core/organisations/index.ts";
import type { Uses, VaultServices } from "#core/services.ts";
import {
  type Bucket,
  type ObjectRegistry,
  type OrganisationKey,
  openSnapshot,
  type SnapshotReader,
  type VaultDeps,
  type VaultReadDeps,
} from "#core/vault/index.ts";
import {
  type FoundManifest,
  findCompanionObject,
  findManifest,
  type KnownCompanions,
  objectRegistry,
} from "./registry.store.ts";

/** Counts calls. */
type CallMeter = { countRequest: () => void; countQueries: (count: number) => void };

/** Identifies a vault: one organisation's share of one region's bucket. */
export type VaultOwner = { organisationId: string; region: Region };

/**
 * Opens an organisation's vault for reading and writing.
 *
 * @param meter Counts every call to bucket and ledger, for work with a budget. The parts of one upload count as one
 *   call.
 */
export async function openVault(s: VaultServices, owner: VaultOwner, meter?: CallMeter): Promise<VaultDeps> {
  return openVaultWith(s, owner, await getOrganisationKey(s, owner.organisationId), meter);
}

/** `openVault` for a caller that has the organisation's key. */
export function openVaultWith(
  s: Uses<"clock" | "ids" | "ledger" | "bucket">,
  owner: VaultOwner,
  organisationKey: OrganisationKey,
  meter?: CallMeter,
): VaultDeps {
  const bucket = s.bucket(owner.region);
  const registry = objectRegistry(s.ledger(owner.region, owner.organisationId), {
    organisationId: owner.organisationId,
    clock: s.clock,
  });
  return {
    bucket: meter ? countCalls(bucket, meter.countRequest) : bucket,
    organisationKey,
    registry: meter ? countQueries(registry, meter) : registry,
    ids: s.ids,
  };
}

function countQueries(registry: ObjectRegistry, { countQueries: count }: CallMeter): ObjectRegistry {
  const counted =
    <A extends unknown[], T>(call: (...values: A) => Promise<T>) =>
    (...values: A) => {
      count(1);
      return call(...values);
    };
  return {
    reserve: counted(registry.reserve),
    complete: counted(registry.complete),
    findStream: counted(registry.findStream),
    discard: counted(registry.discard),
  };
}

function countCalls(bucket: Bucket, onRequest: () => void): Bucket {
  const counted =
    <A extends unknown[], T>(call: (...values: A) => Promise<T>) =>
    (...values: A) => {
      onRequest();
      return call(...values);
    };
  return {
    head: counted((key: string) => bucket.head(key)),
    get: counted((key: string, options?: Parameters<Bucket["get"]>[1]) => bucket.get(key, options)),
    put: counted((key: string, bytes: Uint8Array) => bucket.put(key, bytes)),
    delete: counted((keys: string | string[]) => bucket.delete(keys)),
    createMultipartUpload: counted((key: string) => bucket.createMultipartUpload(key)),
  };
}

/**
 * Opens one version of an item for reading, including companions.
 *
 * @param known The facts that the ledger has about the version, where the caller has read them.
 * @throws AppError `err.snapshot.not.restorable` when its manifest no longer exists
 */
export async function openVersion(
  s: Uses<"ledger">,
  vault: VaultReadDeps,
  version: VaultOwner & { itemId: string; manifestId: string },
  known?: { manifest: FoundManifest | null; companions: KnownCompanions },
): Promise<SnapshotReader> {
  const ledger = s.ledger(version.region, version.organisationId);
  const { organisationId, itemId } = version;
  const found = known ? known.manifest : await findManifest(ledger, organisationId, version);
  if (!found) throw new AppError("err.snapshot.not.restorable");
  return openSnapshot(vault, {
    scope: { organisationId, itemId },
    manifest: found.ref,
    companions: {
      find: async (objectId, name) => {
        const companion = known?.companions.find(objectId, name);
        return companion === undefined
          ? findCompanionObject(ledger, organisationId, { objectId, name })
          : companion;
      },
    },
  });
}
