import type { HostCall } from "#connectors/contract/host-app.ts";
import { rightOfLicence } from "#core/billing/index.ts";
import type { Uses } from "#core/services.ts";
import { storeHostCall } from "./installation.store.ts";

/**
 * Records a verified call: the installation is alive, and has this licence, which is the entitlement of the organisation that
 * the site belongs to. A call without a licence changes none. Open screens are told when the entitlement is another.
 * @returns the organisation of the site; null before anybody signed in in its frame
 */
export async function noteHostCall(
  s: Uses<"control" | "clock" | "ids" | "live">,
  platform: string,
  { siteId, installationId, licence }: Pick<HostCall, "siteId" | "installationId" | "licence">,
): Promise<{ organisationId: string | null }> {
  const now = s.clock.now();
  const { organisationId, isChanged } = await storeHostCall(s.control, {
    platform,
    siteId,
    installationId,
    now,
    ...(licence ? { right: rightOfLicence(licence) } : {}),
    id: s.ids.next("subscription"),
  });
  if (isChanged && organisationId !== null)
    await s.live.publish(organisationId, [{ method: "subscription-changed", platform }]);
  return { organisationId };
}
