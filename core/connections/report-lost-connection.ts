import { queueMail } from "#core/mail/index.ts";
import { listMembers } from "#core/organisations/index.ts";
import { pauseSchedules } from "#core/schedules/index.ts";
import type { MailServices, Uses } from "#core/services.ts";
import { findConnectionRow, markRevoked } from "./connection.store.ts";
import { connectorOf } from "./open-session.ts";

/** Derives the reason for a lost connection from the error code of its run. */
export const lostReasonOf = (code: string): "token" | "app" => (code === "err.app.missing" ? "app" : "token");

/**
 * Records that the provider rejects our access, pauses the connection's schedule and notifies the owner once per grant.
 * Repeating it changes nothing, so it may run before the commit of the run that found out.
 */
export async function reportLostConnection(
  s: MailServices & Uses<"ledger" | "connectors" | "live">,
  run: { organisationId: string; connectionId: string; platform: string },
  reason: "token" | "app" = "token",
): Promise<void> {
  const connection = await findConnectionRow(s.control, run.organisationId, run.connectionId);
  if (!connection) return;
  // A removed app is the more specific reason: a refused token never replaces it.
  const lostReason = connection.lostReason === "app" ? "app" : reason;
  await markRevoked(
    s.control,
    lostReason === "app" ? { ...connection, grantId: null } : connection,
    lostReason,
  );
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
        reconnectUrl: `${s.settings.PUBLIC_URL}/app-connector?${new URLSearchParams({ platform: run.platform, account: connection.id })}`,
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
