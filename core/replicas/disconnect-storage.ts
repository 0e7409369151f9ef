import { ConnectorError } from "#connectors/contract/connector-error.ts";
import { type AuditEntry, auditStatement } from "#core/audit/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { logger } from "#core/kernel/logger.ts";
import { REGIONS } from "#core/kernel/platform-id.ts";
import type { Member } from "#core/organisations/index.ts";
import type { RightServices, Uses } from "#core/services.ts";
import { openTokens, storageConnectorOf } from "./open-storage.ts";
import { forgetStorage } from "./replica.store.ts";
import { mayDisconnect, storageRights } from "./rights.ts";
import { deleteStorage, findStorageRow, isDisconnected, type StorageRow } from "./storage.store.ts";

const log = logger("replicas");

/**
 * Disconnects the storage. All files stay there. The records of the copies are deleted, and the grant is revoked if the
 * storage can be reached.
 *
 * @throws AppError `err.storage.unknown`, `err.storage.missing`, `err.role.forbidden`
 */
export async function disconnectStorage(
  s: RightServices & Uses<"ids" | "fetch" | "ledger" | "storages" | "connectorConfig" | "settings">,
  member: Member,
  input: { kind: string },
): Promise<void> {
  const rights = await storageRights(s, member);
  const { descriptor } = storageConnectorOf(s, input.kind);
  const row = await findStorageRow(s.control, member.organisationId);
  if (row?.kind !== input.kind) throw new AppError("err.storage.missing");
  if (!mayDisconnect(member, rights, row)) throw new AppError("err.role.forbidden");
  const entry = {
    organisationId: member.organisationId,
    userId: member.userId,
    userName: member.name,
    action: "disconnect-storage",
    subject: `${descriptor.label}: ${row.name}`,
    occasion: `disconnect-storage:${row.id}`,
  };
  await drop(s, row, entry);
}

/**
 * The same for an organisation whose account is removed. All files stay there. It may stop at any point and be repeated.
 * @param by Who did it, in the audit trail
 */
export async function dropStorage(
  s: DropServices,
  { organisationId, by }: { organisationId: string; by: string },
): Promise<void> {
  const row = await findStorageRow(s.control, organisationId);
  if (!row) return;
  const entry = { organisationId, userId: null, userName: by, action: "disconnect-storage" };
  await drop(s, row, { ...entry, occasion: `disconnect-storage:${row.id}` });
}

type DropServices = Uses<
  "clock" | "ids" | "fetch" | "control" | "ledger" | "storages" | "connectorConfig" | "settings"
>;

async function drop(s: DropServices, row: StorageRow, entry: AuditEntry): Promise<void> {
  await deleteStorage(s.control, row, auditStatement(s, entry, isDisconnected(row.organisationId)));
  for (const region of REGIONS) await forgetStorage(s.ledger(region, row.organisationId), row.id);
  await revokeGrant(s, row);
}

async function revokeGrant(
  s: Uses<"clock" | "fetch" | "control" | "storages" | "connectorConfig" | "settings">,
  row: StorageRow,
): Promise<void> {
  const { authoriser } = storageConnectorOf(s, row.kind);
  if (authoriser.by !== "consent") return;
  const tokens = await openTokens(s, row);
  if (tokens === null) return;
  const io = { config: s.connectorConfig, fetch: s.fetch, clock: s.clock };
  await authoriser.revoke(io, tokens).catch((cause: unknown) => {
    if (!(cause instanceof ConnectorError)) throw cause;
    // Our tokens are already deleted. The owner still sees the grant at the storage and can revoke it there.
    log.warn("the grant of a disconnected {kind} could not be given back", { kind: row.kind, cause });
  });
}
