import type { ConnectorOperation, OpenedVersion } from "#connectors/contract/operations.ts";
import { recordAction } from "#core/audit/index.ts";
import { openForReading, readable } from "#core/browsing/index.ts";
import {
  type ConnectionScope,
  doneBy,
  openSession,
  requireConnection,
  translateFailure,
} from "#core/connections/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import type { Member } from "#core/organisations/index.ts";
import type { AccessServices, SessionServices, VaultServices } from "#core/services.ts";

/**
 * Runs a connector's operation for a member. Its schema must have parsed the input.
 *
 * Writes the entry of the audit trail after the change. The entry is lost only if the invocation dies in between.
 *
 * @throws AppError `err.platform.unknown`, `err.role.forbidden`, `err.plan.required`, `err.connection.missing`,
 *   `err.connection.unconfirmed`, `err.version.unreadable`, and the codes of a platform's errors
 */
export async function runOperation(
  s: AccessServices & SessionServices & VaultServices,
  member: Member,
  {
    operation,
    input,
    ...scope
  }: ConnectionScope & { operation: ConnectorOperation; input: Record<string, unknown> },
): Promise<unknown> {
  const { platform } = scope;
  const { connection } = await requireConnection(s, member, scope, operation.right);
  const io = {
    session: openSession(s, connection),
    openVersion: (version: { itemId: string; snapshotId: string }) =>
      openOwnVersion(s, member, connection.id, version),
  };
  const answer = await readable(() => operation.handle(io, input)).catch((cause: unknown) => {
    throw translateFailure(cause);
  });
  if (operation.isStateChanging) {
    const entry = { ...doneBy(member, platform), action: operation.summary, subject: connection.name };
    await recordAction(s, entry);
  }
  return answer;
}

/** Opens a version of an item of this connection. @throws AppError `err.not.found` for other items */
async function openOwnVersion(
  s: AccessServices & VaultServices,
  member: Member,
  connectionId: string,
  version: { itemId: string; snapshotId: string },
): Promise<OpenedVersion> {
  const { item, view } = await openForReading(s, member, version);
  if (item.connectionId !== connectionId) throw new AppError("err.not.found");
  const { kind, externalId, name, fullName } = item;
  return { item: { kind, externalId, name, fullName }, snapshot: view };
}
