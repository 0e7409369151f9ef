import type { MailServices, Uses } from "#core/services.ts";
import { findConnectionRow } from "./connection.store.ts";
import { listCredentialsOfAccount, saveBroughtToken } from "./credential.store.ts";
import { isBrought, sealTokens } from "./open-session.ts";
import { reportLostConnection } from "./report-lost-connection.ts";
import { resumeConnection } from "./resume-connection.ts";

type Site = { platform: string; externalId: string };

/**
 * Stores the token that an installation brought for its site, in every connection that was made from that installation. A
 * connection of the same site that has no such credential gets none: each organisation links the site by itself.
 */
export async function bringToken(
  s: Uses<"memory" | "clock" | "control" | "ledger" | "live" | "settings">,
  { authMethod, ...site }: Site & { authMethod: string },
  { accessToken, expiresAt }: { accessToken: string; expiresAt: number },
): Promise<void> {
  if (expiresAt <= s.clock.now()) return;
  for (const held of await listCredentialsOfAccount(s.control, site)) {
    if (held.authMethod !== authMethod) continue;
    const { organisationId, connectionId } = held;
    const row = await findConnectionRow(s.control, organisationId, connectionId);
    if (!row) continue;
    const sealed = await sealTokens(
      s,
      { ...site, organisationId, authMethod },
      { accessToken, refreshToken: null },
    );
    await resumeConnection(s, row);
    await saveBroughtToken(s.control, { ...held, accessTokenExpiresAt: expiresAt, ...sealed });
    if (held.status === "active") continue;
    const changed = { method: "connection-changed", platform: site.platform, connectionId } as const;
    await s.live.publish(organisationId, [changed]);
  }
}

/** Marks the access as lost that a silent installation had brought. The owners are told when nothing else works. */
export async function loseBroughtTokens(
  s: MailServices & Uses<"ledger" | "connectors" | "live">,
  site: Site,
): Promise<void> {
  for (const held of await listCredentialsOfAccount(s.control, site)) {
    const { organisationId, connectionId, authMethod, status, tokenVersion } = held;
    if (status !== "active" || !isBrought(s, { platform: site.platform, authMethod })) continue;
    const run = { organisationId, connectionId, platform: site.platform };
    const used = new Map([[authMethod, tokenVersion]]);
    await reportLostConnection(s, run, { authMethod, isAppMissing: true }, used);
  }
}
