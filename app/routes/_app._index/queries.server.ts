import { type AppLoadContext, redirect } from "@remix-run/cloudflare";
import { orFailure } from "#app/session/refusal.server.ts";
import { requireMember } from "#app/session/require-member.server.ts";
import type { PlatformDescriptor } from "#connectors/contract/descriptor.ts";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import { listAllConnections } from "#core/connections/index.ts";
import type { ConnectionView } from "#core/connections/views.ts";
import { listItems } from "#core/inventory/index.ts";
import type { ItemListView } from "#core/inventory/views.ts";
import type { Member } from "#core/organisations/index.ts";

/** One connected account on the dashboard. */
export type HomeAccount = {
  platform: string;
  /** Set where the platform has several accounts: it names this one in addresses. */
  connectionId: string | null;
  label: string;
  many: string;
  accountName: string;
  region: string;
  isRevoked: boolean;
  total: number;
  counts: ItemListView["counts"];
};

/** State of every connected account. Nobody has ever connected one: the connector instead (spec A-074). */
export async function homeOf(
  context: AppLoadContext,
  request: Request,
): Promise<{ accounts: HomeAccount[] }> {
  const member = requireMember(context, request);
  const { services } = context;
  const connections = await orFailure(context, () => listAllConnections(services, member));
  const accounts = await orFailure(context, () =>
    Promise.all(
      descriptors.flatMap((descriptor) => {
        const own = connections.filter(({ platform }) => platform === descriptor.id);
        return own.map((connection) => accountOf(context, member, { descriptor, connection, own }));
      }),
    ),
  );
  /* What the restricted mode closes cannot be the way on. */
  const isRestricted = services.settings.RESTRICTED_MODE === "on";
  if (accounts.length === 0 && !isRestricted) throw redirect(connectorPath(request));
  return { accounts };
}

async function accountOf(
  { services }: AppLoadContext,
  member: Member,
  {
    descriptor: { id: platform, label, itemKinds },
    connection,
    own,
  }: { descriptor: PlatformDescriptor; connection: ConnectionView; own: readonly ConnectionView[] },
): Promise<HomeAccount> {
  const list = await listItems(services, member, {
    platform,
    connectionId: connection.id,
    kind: itemKinds[0]?.id ?? "",
    placeId: null,
    page: 0,
    perPage: 1,
    name: null,
    filter: "all",
  });
  return {
    platform,
    connectionId: own.length > 1 ? connection.id : null,
    label,
    many: itemKinds[0]?.many ?? "",
    accountName: connection.name,
    region: connection.region,
    isRevoked: connection.status === "revoked" || !list.isTokenValid,
    total: list.counts.all,
    counts: list.counts,
  };
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
