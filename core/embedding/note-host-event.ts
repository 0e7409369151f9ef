import type { HostCall, HostEvent } from "#connectors/contract/host-app.ts";
import { listConnectionRows } from "#core/connections/index.ts";
import { hastenItem } from "#core/schedules/index.ts";
import type { Uses } from "#core/services.ts";
import { noteHostCall } from "./note-host-call.ts";

/**
 * Records a reported event. What changed at the host is only a hint: the item's next backup comes sooner, and reads the
 * platform itself. An event about an item that is not protected changes nothing.
 */
export async function noteHostEvent(
  s: Uses<"control" | "clock" | "ids" | "live" | "ledger">,
  platform: string,
  { call, event }: { call: HostCall; event: HostEvent },
): Promise<void> {
  const { organisationId } = await noteHostCall(s, platform, call);
  if (event.kind === "alive" || organisationId === null) return;
  const connections = await listConnectionRows(s.control, organisationId, platform);
  for (const { id, region } of connections.filter(({ externalId }) => externalId === call.siteId))
    await hastenItem(s.ledger(region), {
      organisationId,
      connectionId: id,
      externalId: event.itemExternalId,
      now: s.clock.now(),
    });
}
