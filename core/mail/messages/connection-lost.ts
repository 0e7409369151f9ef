import { z } from "zod";
import type { MailContent } from "../mail-content.ts";

/** The platform rejects our access. Only the owner can grant it again. */
export const connectionLostSchema = z.object({
  platformLabel: z.string(),
  accountName: z.string(),
  reconnectUrl: z.url(),
  /**
   * True when the platform's app was removed from the account. E-mails queued without this field speak of the access.
   */
  isAppMissing: z.boolean().optional(),
});

export function connectionLost(data: z.infer<typeof connectionLostSchema>): MailContent {
  return {
    subject: `${data.platformLabel}: backups are paused until you reconnect ${data.accountName}`,
    heading: "Backups are paused",
    paragraphs: [
      data.isAppMissing
        ? `The app was removed from ${data.accountName} at ${data.platformLabel}, so nothing can be backed up there.`
        : `${data.platformLabel} no longer accepts our access to ${data.accountName}, so nothing can be backed up there.`,
      "All existing versions are kept and can be restored or downloaded. Reconnect the account to continue.",
    ],
    action: { label: "Reconnect the account", url: data.reconnectUrl },
    reason: "You receive this e-mail because you own the account that is connected.",
  };
}
