import { type AppLoadContext, redirect } from "@remix-run/cloudflare";
import { orFailure } from "#app/session/refusal.server.ts";
import { requireMember } from "#app/session/require-member.server.ts";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import { listConnections } from "#core/connections/index.ts";
import { listItems } from "#core/inventory/index.ts";
import type { ItemListView } from "#core/inventory/views.ts";
import { canUse } from "#core/organisations/index.ts";

/** One connected platform on the dashboard. */
export type HomePlatform = {
  id: string;
  label: string;
  many: string;
  accountName: string;
  region: string;
  isRevoked: boolean;
  total: number;
  counts: ItemListView["counts"];
};

/** The status of every connected platform. Redirects to the connector if none was ever connected (spec A-074). */
export async function homeOf(
  context: AppLoadContext,
  request: Request,
): Promise<{ platforms: HomePlatform[] }> {
  const member = requireMember(context, request);
  const { services } = context;
  const platforms = await orFailure(context, () =>
    Promise.all(
      descriptors
        .filter(({ id }) => canUse(member, id))
        .map(async ({ id, label, itemKinds: [kind] }): Promise<HomePlatform[]> => {
          const [connection] = await listConnections(services, member, { platform: id });
          if (!connection || !kind) return [];
          const list = await listItems(services, member, {
            platform: id,
            kind: kind.id,
            placeId: null,
            page: 0,
            perPage: 1,
            name: null,
            filter: "all",
          });
          return [
            {
              id,
              label,
              many: kind.many,
              accountName: connection.name,
              region: connection.region,
              isRevoked: connection.status === "revoked" || !list.isTokenValid,
              total: list.counts.all,
              counts: list.counts,
            },
          ];
        }),
    ),
  );
  const connected = platforms.flat();
  /* Restricted mode closes the connector, so do not redirect there. */
  const isRestricted = services.settings.RESTRICTED_MODE === "on";
  if (connected.length === 0 && !isRestricted) throw redirect(connectorPath(request));
  return { platforms: connected };
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
