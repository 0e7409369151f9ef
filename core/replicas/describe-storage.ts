import { listStorageRegions } from "#core/connections/index.ts";
import { REGIONS } from "#core/kernel/platform-id.ts";
import type { Member } from "#core/organisations/index.ts";
import type { RightServices, Uses } from "#core/services.ts";
import { FAILED_TOLD } from "./limits.ts";
import { storageConnectorOf } from "./open-storage.ts";
import { countCopies, listFailedCopies } from "./replica.store.ts";
import { mayDisconnect, storageRights } from "./rights.ts";
import { findStorageRow, type StorageRow } from "./storage.store.ts";
import type { FailedCopy, PlatformCopies, StorageOverview, StorageView } from "./views.ts";

/**
 * Describes the storage, what is copied and what failed, for the platforms that the member manages.
 * @throws AppError `err.role.forbidden` for a member who manages none
 */
export async function describeStorage(
  s: RightServices & Uses<"ledger" | "storages">,
  member: Member,
): Promise<StorageOverview> {
  const rights = await storageRights(s, member);
  const row = await findStorageRow(s.control, member.organisationId);
  const all = row
    ? (
        await Promise.all(REGIONS.map((region) => countCopies(s.ledger(region, row.organisationId), row.id)))
      ).flat()
    : [];
  const counts = all.filter(({ platform }) => rights.managed.includes(platform));
  const regions = await listStorageRegions(s, member);
  const platforms = [...s.connectors.keys()].map((platform): PlatformCopies => {
    const own = counts.filter((each) => each.platform === platform);
    const of = (status: string) => own.filter((each) => each.status === status);
    const sum = (status: string) => of(status).reduce((total, { count }) => total + count, 0);
    const times = own.flatMap(({ lastStoredAt }) => (lastStoredAt === null ? [] : [lastStoredAt]));
    return {
      platform,
      isCopied: row?.platforms.includes(platform) ?? false,
      canChange: rights.managed.includes(platform),
      regionS3: regions.get(platform) ?? "",
      isOnPlan: rights.usable.includes(platform),
      stored: sum("stored"),
      waiting: sum("waiting"),
      failed: sum("failed"),
      sizeBytes: of("stored").reduce((total, { sizeBytes }) => total + sizeBytes, 0),
      lastStoredAt: times.length === 0 ? null : Math.max(...times),
    };
  });
  return {
    storage: row && toView(s, row, mayDisconnect(member, rights, row)),
    platforms,
    failed: row ? await listFailed(s, row, rights.managed) : [],
  };
}

async function listFailed(
  s: Uses<"ledger">,
  row: StorageRow,
  managed: readonly string[],
): Promise<FailedCopy[]> {
  const all = await Promise.all(
    REGIONS.map((region) => listFailedCopies(s.ledger(region, row.organisationId), row.id, FAILED_TOLD)),
  );
  return all
    .flat()
    .filter(({ platform }) => managed.includes(platform))
    .sort((a, b) => b.takenAt - a.takenAt)
    .slice(0, FAILED_TOLD)
    .map((each) => ({ ...each, text: each.text ?? "" }));
}

function toView(s: Uses<"storages">, row: StorageRow, canDisconnect: boolean): StorageView {
  const { connects } = storageConnectorOf(s, row.kind).descriptor;
  // Show only fields that the descriptor lists and does not mark as secret.
  const shown = connects.by === "keys" ? connects.fields.filter(({ isSecret }) => !isSecret) : [];
  const details = row.details as Record<string, unknown>;
  return {
    kind: row.kind,
    name: row.name,
    details: Object.fromEntries(
      shown.flatMap(({ name }) => (typeof details[name] === "string" ? [[name, details[name]]] : [])),
    ),
    isActive: row.status === "active",
    trouble:
      row.trouble === null
        ? null
        : { kind: row.trouble, text: row.troubleText ?? "", since: row.troubleAt ?? row.connectedAt },
    connectedAt: row.connectedAt,
    canDisconnect,
  };
}
