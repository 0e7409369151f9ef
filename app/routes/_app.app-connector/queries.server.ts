import type { AppLoadContext } from "@remix-run/cloudflare";
import { orFailure } from "#app/session/refusal.server.ts";
import { requireMember } from "#app/session/require-member.server.ts";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import { listConnections } from "#core/inventory/index.ts";
import type { Region } from "#core/kernel/platform-id.ts";
import { canUse, mayManage } from "#core/organisations/index.ts";

/** One application of step 1. */
export type ConnectorApp = {
  id: string;
  label: string;
  canManage: boolean;
  connection: { name: string; region: Region; isRevoked: boolean } | null;
};

/** The applications that the member may see, with what is connected already. */
export async function connectorOf(context: AppLoadContext, request: Request) {
  const member = requireMember(context, request);
  const apps = await orFailure(context, () =>
    Promise.all(
      descriptors
        .filter(({ id }) => canUse(member, id))
        .map(async ({ id, label }): Promise<ConnectorApp> => {
          const [connection] = await listConnections(context.services, member, { platform: id });
          return {
            id,
            label,
            canManage: await mayManage(context.services, member, id),
            connection: connection
              ? {
                  name: connection.name,
                  region: connection.region,
                  isRevoked: connection.status === "revoked",
                }
              : null,
          };
        }),
    ),
  );
  return { apps };
}
