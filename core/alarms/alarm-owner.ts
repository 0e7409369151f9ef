import { connectorOf } from "#core/connections/index.ts";
import { queueMail } from "#core/mail/index.ts";
import { listMembers } from "#core/organisations/index.ts";
import type { MailServices, Uses } from "#core/services.ts";
import { MOST_NAMED } from "./limits.ts";

/** The part of an alarm e-mail about one item. */
export type AlarmedItem = { itemId: string; name: string; sentences: string[] };

/** E-mails the owner once about these alarms, and makes open screens reload the items. */
export async function alarmOwner(
  s: MailServices & Uses<"connectors" | "live">,
  about: { organisationId: string; platform: string; occasion: string; items: readonly AlarmedItem[] },
): Promise<void> {
  const { organisationId, platform, items } = about;
  if (items.length === 0) return;
  const owner = (await listMembers(s, organisationId)).find(({ role }) => role === "owner");
  if (owner) {
    const mail = await queueMail(s, {
      occasion: `alarm:${about.occasion}`,
      organisationId,
      recipient: owner.email,
      message: "alarm-raised",
      data: {
        platformLabel: connectorOf(s, platform).descriptor.label,
        items: items.slice(0, MOST_NAMED).map(({ itemId, name, sentences }) => ({
          name,
          sentences,
          url: `${s.settings.PUBLIC_URL}/platform/backups/${platform}?id=${encodeURIComponent(itemId)}`,
        })),
        more: Math.max(0, items.length - MOST_NAMED),
      },
    });
    await mail.statement;
    await s.queue.send([mail.job]);
  }
  const ids = items.map(({ itemId }) => itemId);
  await s.live.publish(organisationId, [{ method: "items-changed", platform, ids }]);
}
