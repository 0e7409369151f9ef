import { deleteSessionsOfSite } from "#core/accounts/index.ts";
import { loseBroughtTokens } from "#core/connections/index.ts";
import type { MailServices, Uses } from "#core/services.ts";
import { endInstallation, listSilent } from "./installation.store.ts";
import { SILENT_MS } from "./limits.ts";

/** A tick ends this many; the next one goes on. */
const MOST = 50;

/**
 * Ends installations that no longer call, the sessions in their frames, and their licences when what was paid is used up.
 * Links stay: the next signed call brings the installation back.
 */
export async function endSilentHosts(
  s: MailServices & Uses<"clock" | "ledger" | "connectors" | "live">,
): Promise<void> {
  const now = s.clock.now();
  const silent = await listSilent(s.control, { before: now - SILENT_MS, most: MOST });
  for (const installation of silent) {
    const { platform, siteId, organisationId: owner } = installation;
    // Before the end: after a crash in between, the next tick repeats it. An installation that calls again renews it.
    await loseBroughtTokens(s, { platform, externalId: siteId });
    const { isEnded, isChanged } = await endInstallation(s.control, { ...installation, now });
    if (isChanged && owner !== null)
      await s.live.publish(owner, [{ method: "subscription-changed", platform }]);
    if (!isEnded) continue;
    const ended = await deleteSessionsOfSite(s.control, installation.siteId);
    for (const { organisationId, sessionId } of ended) await s.live.disconnect(organisationId, { sessionId });
  }
}
