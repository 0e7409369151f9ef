import type { HostCall, HostEvent, HostToken } from "#connectors/contract/host-app.ts";
import { bringToken, listConnectionRows } from "#core/connections/index.ts";
import { hastenItem } from "#core/schedules/index.ts";
import type { Uses } from "#core/services.ts";
import { noteHostCall } from "./note-host-call.ts";

/**
 * Records a reported event. What changed at the host is only a hint: the item's next backup comes sooner, and reads the
 * platform itself. A token that came along is stored for the call's site. An event about an item that is not protected changes nothing.
 */
export async function noteHostEvent(
  s: Uses<"memory" | "control" | "clock" | "ids" | "live" | "ledger" | "settings">,
  platform: string,
  {
    call,
    event,
    brought,
  }: { call: HostCall; event: HostEvent; brought?: { authMethod: string; token: HostToken } },
): Promise<void> {
  const { organisationId } = await noteHostCall(s, platform, call);
  if (brought) {
    const { authMethod, token } = brought;
    await bringToken(s, { platform, externalId: call.siteId, authMethod }, token);
  }
  if (event.kind === "alive" || organisationId === null) return;
  const connections = await listConnectionRows(s.control, organisationId, platform);
  for (const { id, region } of connections.filter(({ externalId }) => externalId === call.siteId))
    await hastenItem(s.ledger(region, organisationId), {
      organisationId,
      connectionId: id,
      externalId: event.itemExternalId,
      now: s.clock.now(),
    });
}
