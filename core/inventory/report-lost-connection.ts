import { queueMail } from "#core/mail/index.ts";
import { listMembers } from "#core/organisations/index.ts";
import type { CoreServices } from "#core/services.ts";
import { findConnectionRow, markRevoked } from "./connection.store.ts";
import { connectorOf } from "./open-session.ts";

/**
 * Notes that the provider no longer accepts our access and tells the owner once per grant. Repeating it changes
 * nothing, so it may stand before the commit of the run that found out.
 */
export async function reportLostConnection(
  s: CoreServices,
  run: { organisationId: string; connectionId: string; platform: string },
): Promise<void> {
  const connection = await findConnectionRow(s.control, run.organisationId, run.connectionId);
  if (!connection) return;
  await markRevoked(s.control, { connectionId: connection.id, tokenVersion: connection.tokenVersion });
  const owner = (await listMembers(s, run.organisationId)).find((member) => member.role === "owner");
  if (owner) {
    const mail = await queueMail(s, {
      occasion: `connection-lost:${connection.id}:${connection.tokenVersion}`,
      organisationId: run.organisationId,
      recipient: owner.email,
      message: "connection-lost",
      data: {
        platformLabel: connectorOf(s, run.platform).descriptor.label,
        accountName: connection.name,
        reconnectUrl: `${s.settings.PUBLIC_URL}/app-connector`,
      },
    });
    await mail.statement;
    await s.queue.send([mail.job]);
  }
  await s.live.publish(run.organisationId, [
    { method: "connection-changed", platform: run.platform, connectionId: connection.id },
  ]);
}
