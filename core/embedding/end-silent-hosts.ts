import { deleteSessionsOfSite } from "#core/accounts/index.ts";
import type { Uses } from "#core/services.ts";
import { endInstallation, listSilent } from "./installation.store.ts";
import { SILENT_MS } from "./limits.ts";

/** A tick ends this many; the next one goes on. */
const MOST = 50;

/**
 * Ends installations that no longer call, and the sessions in their frames. Links and licence stay: the next signed call
 * brings the installation back.
 */
export async function endSilentHosts(s: Uses<"control" | "clock" | "live">): Promise<void> {
  const silent = await listSilent(s.control, { before: s.clock.now() - SILENT_MS, most: MOST });
  for (const installation of silent) {
    if (!(await endInstallation(s.control, installation))) continue;
    const ended = await deleteSessionsOfSite(s.control, installation.siteId);
    for (const { organisationId, sessionId } of ended) await s.live.disconnect(organisationId, { sessionId });
  }
}
