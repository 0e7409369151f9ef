import { ConnectorError } from "#connectors/contract/connector-error.ts";
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
 * Runs a connector's operation for a member who may manage the platform. Its schema must have parsed the input.
 *
 * A call that changes state is recorded in the audit trail after the platform answered, and also when its failure does
 * not show whether the change was made. The entry is lost if the invocation dies or the control database fails in
 * between.
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
  const { connection } = await requireConnection(s, member, scope, "manage");
  const io = {
    session: openSession(s, connection),
    openVersion: (version: { itemId: string; snapshotId: string }) =>
      openOwnVersion(s, member, scope, version),
  };
  const record = async (action: string) => {
    if (!operation.isStateChanging) return;
    await recordAction(s, { ...doneBy(member, scope.platform), action, subject: connection.name });
  };
  let answer: unknown;
  try {
    answer = await readable(() => operation.handle(io, input));
  } catch (cause) {
    if (leavesOutcomeOpen(cause)) await record(`${operation.summary} (outcome unknown)`);
    throw translateFailure(cause);
  }
  await record(operation.summary);
  return answer;
}

/** True when the platform may have made the change although the call failed. */
function leavesOutcomeOpen(cause: unknown): boolean {
  return cause instanceof ConnectorError && (cause.kind === "unavailable" || cause.kind === "malformed");
}

/** Opens a version of the platform, and of the account if it is named. @throws AppError `err.not.found` for others */
async function openOwnVersion(
  s: AccessServices & VaultServices,
  member: Member,
  { platform, connectionId }: ConnectionScope,
  version: { itemId: string; snapshotId: string },
): Promise<OpenedVersion> {
  const { item, view } = await openForReading(s, member, version);
  const isNamed = !connectionId || item.connectionId === connectionId;
  if (item.platform !== platform || !isNamed) throw new AppError("err.not.found");
  const { kind, externalId, name, fullName } = item;
  return { item: { kind, externalId, name, fullName }, snapshot: view };
}
