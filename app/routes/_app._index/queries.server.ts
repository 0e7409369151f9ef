import { type AppLoadContext, redirect } from "@remix-run/cloudflare";
import { orFailure } from "#app/session/refusal.server.ts";
import { requireMember } from "#app/session/require-member.server.ts";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import { listAllConnections } from "#core/connections/index.ts";
import { summariseAccounts } from "#core/inventory/index.ts";
import type { ItemListView } from "#core/inventory/views.ts";
import type { Member } from "#core/organisations/index.ts";
import type { Uses } from "#core/services.ts";

/** One connected account on the dashboard. */
export type HomeAccount = {
  platform: string;
  /** Set if the platform has several accounts: its id in URLs. */
  connectionId: string | null;
  label: string;
  one: string;
  many: string;
  accountName: string;
  region: string;
  isRevoked: boolean;
  total: number;
  counts: ItemListView["counts"];
};

/** Returns the state of every connected account. Redirects to the connector if there is none (spec A-074). */
export async function homeOf(
  context: AppLoadContext,
  request: Request,
): Promise<{ accounts: HomeAccount[] }> {
  const member = requireMember(context, request);
  const { services } = context;
  const accounts = await orFailure(context, () => accountsOf(services, member));
  /* Restricted mode has no connector. */
  const isRestricted = services.settings.RESTRICTED_MODE === "on";
  if (accounts.length === 0 && !isRestricted) throw redirect(connectorPath(request));
  return { accounts };
}

async function accountsOf(
  services: Uses<"memory" | "clock" | "control" | "ledger" | "connectors">,
  member: Member,
): Promise<HomeAccount[]> {
  const connections = await listAllConnections(services, member);
  const known = descriptors.flatMap(({ id, label, itemKinds: [kind] }) => {
    const own = connections.filter(({ platform }) => platform === id);
    return kind ? own.map((connection) => ({ connection, label, kind, hasOthers: own.length > 1 })) : [];
  });
  const counts = await summariseAccounts(
    services,
    member,
    known.map(({ connection, kind }) => ({ connection, kind: kind.id })),
  );
  return known.flatMap(({ connection, label, kind, hasOthers }) => {
    const own = counts.get(connection.id);
    if (!own) return [];
    return [
      {
        platform: connection.platform,
        connectionId: hasOthers ? connection.id : null,
        label,
        one: kind.one,
        many: kind.many,
        accountName: connection.name,
        region: connection.region,
        isRevoked: connection.status === "revoked",
        total: own.all,
        counts: own,
      },
    ];
  });
}

/**
 * The path of the connector, with a parameter when embedded in a Jira frame (spec A-075). Sec-Fetch-Dest names the kind
 * of document.
 */
function connectorPath(request: Request): string {
  return request.headers.get("Sec-Fetch-Dest") === "iframe"
    ? "/app-connector?jiraInIframe=true"
    : "/app-connector";
}
