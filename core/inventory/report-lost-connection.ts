import { queueMail } from "#core/mail/index.ts";
import { listMembers } from "#core/organisations/index.ts";
import type { CoreServices } from "#core/services.ts";
import { pauseSchedules } from "./change-items.store.ts";
import { findConnectionRow, markRevoked } from "./connection.store.ts";
import { connectorOf } from "./open-session.ts";

/** Why a connection was lost, from the code that its run ended with. */
export const lostReasonOf = (code: string): "token" | "app" => (code === "err.app.missing" ? "app" : "token");

/**
 * Notes that the provider no longer accepts our access, rests the connection's schedule until it is resumed, and tells
 * the owner once per grant. Repeating it changes nothing, so it may stand before the commit of the run that found out.
 */
export async function reportLostConnection(
  s: CoreServices,
  run: { organisationId: string; connectionId: string; platform: string },
  reason: "token" | "app" = "token",
): Promise<void> {
  const connection = await findConnectionRow(s.control, run.organisationId, run.connectionId);
  if (!connection) return;
  const version = { connectionId: connection.id, tokenVersion: connection.tokenVersion };
  // A refused token found first says less than a removed app found later, and never the other way round.
  const lostReason = connection.lostReason === "app" ? "app" : reason;
  await markRevoked(s.control, version, lostReason);
  await pauseSchedules(s.ledger(connection.region), connection);
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
        reconnectUrl: `${s.settings.PUBLIC_URL}/app-connector?platform=${encodeURIComponent(run.platform)}`,
        isAppMissing: lostReason === "app",
      },
    });
    await mail.statement;
    await s.queue.send([mail.job]);
  }
  await s.live.publish(run.organisationId, [
    { method: "connection-changed", platform: run.platform, connectionId: connection.id },
  ]);
}
