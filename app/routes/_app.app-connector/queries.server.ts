import type { AppLoadContext } from "@remix-run/cloudflare";
import { regionFacts } from "#app/copy/regions.ts";
import { orFailure } from "#app/session/refusal.server.ts";
import { requireMember } from "#app/session/require-member.server.ts";
import { toldIn } from "#app/session/told.server.ts";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import { entitlementsOf } from "#core/billing/index.ts";
import { listConnections, savedRegion } from "#core/connections/index.ts";
import type { ConnectionView } from "#core/connections/views.ts";
import type { Region } from "#core/kernel/platform-id.ts";
import { canUse, mayManage } from "#core/organisations/index.ts";

/** One application in step 1. */
export type ConnectorApp = {
  id: string;
  label: string;
  canManage: boolean;
  /** Only the owner can reconnect or change the account (spec P-309). */
  isOwner: boolean;
  /** Installation page of the platform's app; null if it has none. */
  installUrl: string | null;
  /** A trial or subscription was started once. */
  hasStarted: boolean;
  /** The account's region. Without an account: the saved region, or the first one offered. */
  region: Region;
  connection:
    | ({ isRevoked: boolean } & Pick<
        ConnectionView,
        "name" | "accountType" | "region" | "isAutoAdd" | "isConfirmed" | "lostReason"
      >)
    | null;
};

/** The applications that the member may see, with their connections, and the messages from the URL. */
export async function connectorOf(context: AppLoadContext, request: Request) {
  const member = requireMember(context, request);
  const apps = await orFailure(context, () =>
    Promise.all(
      descriptors
        .filter(({ id }) => canUse(member, id))
        .map(async ({ id, label }): Promise<ConnectorApp> => {
          const [connection] = await listConnections(context.services, member, { platform: id });
          const saved = connection ? null : await savedRegion(context.services, member, id);
          return {
            id,
            label,
            hasStarted: (await entitlementsOf(context.services, member.organisationId, id)).plan !== "none",
            region: connection?.region ?? saved ?? regionFacts[0]?.region ?? "DE",
            canManage: await mayManage(context.services, member, id),
            isOwner: member.role === "owner",
            installUrl:
              context.services.connectors
                .get(id)
                ?.authoriser.installUrl?.(context.services.connectorConfig) ?? null,
            connection: connection
              ? {
                  name: connection.name,
                  accountType: connection.accountType,
                  region: connection.region,
                  isRevoked: connection.status === "revoked",
                  isAutoAdd: connection.isAutoAdd,
                  isConfirmed: connection.isConfirmed,
                  lostReason: connection.lostReason,
                }
              : null,
          };
        }),
    ),
  );
  const [error, warning] = await Promise.all([
    toldIn(context, request, "error_message"),
    toldIn(context, request, "warning_message"),
  ]);
  return { apps, error, warning };
}
