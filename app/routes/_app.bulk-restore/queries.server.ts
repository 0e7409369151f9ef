import type { AppLoadContext } from "@remix-run/cloudflare";
import { orFailure } from "#app/session/refusal.server.ts";
import { requireMember } from "#app/session/require-member.server.ts";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import { entitlementsOf } from "#core/billing/index.ts";
import { canUse, mayManage } from "#core/organisations/index.ts";

/** The member's rights on a platform. */
export type BulkRights = { platform: string; canManage: boolean; hasProFeatures: boolean };

/** The platforms that the member may use. Only the browser knows which one is selected. */
export async function bulkRights(
  context: AppLoadContext,
  request: Request,
): Promise<{ rights: BulkRights[]; now: number }> {
  const member = requireMember(context, request);
  const { services } = context;
  const rights = await orFailure(context, () =>
    Promise.all(
      descriptors
        .filter(({ id }) => canUse(member, id))
        .map(async ({ id }) => ({
          platform: id,
          canManage: await mayManage(services, member, id),
          hasProFeatures: (await entitlementsOf(services, member.organisationId, id)).hasProFeatures,
        })),
    ),
  );
  return { rights, now: services.clock.now() };
}
