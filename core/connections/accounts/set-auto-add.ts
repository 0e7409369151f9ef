import { recordAction } from "#core/audit/index.ts";
import type { Member } from "#core/organisations/index.ts";
import type { AccessServices, Uses } from "#core/services.ts";
import { updateAutoAdd } from "../connection.store.ts";
import { type ConnectionScope, doneBy, requireAccount } from "../require-connection.ts";
import { toConnectionView } from "../to-views.ts";
import type { ConnectionView } from "../views.ts";

/**
 * Sets whether items that appear at the platform are protected automatically (spec P-319). The first look follows at
 * once and records the existing items; items that appear later are new.
 */
export async function setAutoAdd(
  s: AccessServices & Uses<"ids" | "queue" | "live">,
  member: Member,
  input: ConnectionScope & { isAutoAdd: boolean },
): Promise<ConnectionView> {
  const { connection } = await requireAccount(s, member, input, "manage");
  const { organisationId, id: connectionId } = connection;
  if (connection.isAutoAdd !== input.isAutoAdd) {
    await updateAutoAdd(s.control, { organisationId, connectionId }, input.isAutoAdd);
    await recordAction(s, {
      ...doneBy(member, input.platform),
      action: input.isAutoAdd ? "enable-auto-add" : "disable-auto-add",
      subject: connection.name,
    });
    if (input.isAutoAdd) {
      await s.queue.send([{ job: "look-for-new-items", payload: { organisationId, connectionId } }]);
    }
    await s.live.publish(organisationId, [
      { method: "connection-changed", platform: input.platform, connectionId },
    ]);
  }
  return toConnectionView(s, { ...connection, isAutoAdd: input.isAutoAdd });
}
