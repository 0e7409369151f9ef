import { queueMail } from "#core/mail/index.ts";
import { listMembers } from "#core/organisations/index.ts";
import { pauseSchedules } from "#core/schedules/index.ts";
import type { MailServices, Uses } from "#core/services.ts";
import { type ConnectionRow, findConnectionRow } from "./connection.store.ts";
import { listCredentials, markRevoked } from "./credential.store.ts";
import { connectorOf, type UsedTokens } from "./open-session.ts";
import { resumeConnection } from "./resume-connection.ts";

/** What was refused: one credential, or the account as a whole when `authMethod` is null. */
type Loss = { authMethod: string | null } & ({ code: string } | { isAppMissing: boolean });

/**
 * Records that the provider rejects our access. Only the tokens that were used are lost (`used`): a renewal or a new consent
 * that was stored since they were refused is kept. A credential that was not used counts as it is now. While another
 * credential works, the connection stays active, and the account's page names the lost one. Otherwise this pauses the
 * schedule and notifies the owner once per grant. Repeating it changes nothing, so it may run before the commit of the run
 * that found out.
 */
export async function reportLostConnection(
  s: MailServices & Uses<"ledger" | "connectors" | "live">,
  run: { organisationId: string; connectionId: string; platform: string },
  loss: Loss,
  used: UsedTokens,
): Promise<void> {
  const connection = await recordLoss(s, run, loss, used);
  if (!connection) return;
  const changed = {
    method: "connection-changed",
    platform: run.platform,
    connectionId: connection.id,
  } as const;
  if (connection.status === "active") return s.live.publish(run.organisationId, [changed]);
  await pauseSchedules(s.ledger(connection.region, connection.organisationId), connection);
  // A renewal that was under way, or the owner, may have ended the loss just before the pause.
  const since = await findConnectionRow(s.control, connection.organisationId, connection.id);
  if (since?.status === "active") return resumeConnection(s, connection);
  const owner = (await listMembers(s, run.organisationId)).find((member) => member.role === "owner");
  if (owner) {
    const mail = await queueMail(s, {
      occasion: `connection-lost:${connection.id}:${connection.version}`,
      organisationId: run.organisationId,
      recipient: owner.email,
      message: "connection-lost",
      data: {
        platformLabel: connectorOf(s, run.platform).descriptor.label,
        accountName: connection.name,
        reconnectUrl: `${s.settings.PUBLIC_URL}/app-connector?${new URLSearchParams({ platform: run.platform, account: connection.id })}`,
        isAppMissing: connection.lostReason === "app",
      },
    });
    await mail.statement;
    await s.queue.send([mail.job]);
  }
  await s.live.publish(run.organisationId, [changed]);
}

/** Marks what was lost. Returns the connection after it, with the version of its tokens; null = it was removed. */
async function recordLoss(
  s: Uses<"control">,
  { organisationId, connectionId }: { organisationId: string; connectionId: string },
  loss: Loss,
  used: UsedTokens,
): Promise<(ConnectionRow & { version: number }) | null> {
  const before = await findConnectionRow(s.control, organisationId, connectionId);
  if (!before) return null;
  const credentials = await listCredentials(s.control, before);
  const meant = credentials.filter(({ authMethod }) => authMethod === (loss.authMethod ?? authMethod));
  const lost = meant.map((held) => ({
    ...held,
    tokenVersion: used.get(held.authMethod) ?? held.tokenVersion,
  }));
  const isAppMissing = "code" in loss ? loss.code === "err.app.missing" : loss.isAppMissing;
  // A removed app is the more specific reason: a refused token never replaces it.
  if (isAppMissing || before.lostReason === "app") {
    const own = lost.map((version) => ({ ...version, grantId: null }));
    await markRevoked(s.control, own, "app");
  } else await markRevoked(s.control, lost);
  const after = await findConnectionRow(s.control, organisationId, connectionId);
  return after && { ...after, version: Math.max(0, ...meant.map(({ tokenVersion }) => tokenVersion)) };
}
