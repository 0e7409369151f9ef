import { z } from "zod";
import { formatMoment } from "../format-moment.ts";
import type { MailContent } from "../mail-content.ts";

/** The second factor was switched on or off. Times in epoch ms. */
export const twoFactorChangedSchema = z.object({
  isEnabled: z.boolean(),
  changedAt: z.number(),
  timeZone: z.string(),
  /** URL of the security settings. */
  settingsUrl: z.url(),
});

export function twoFactorChanged(data: z.infer<typeof twoFactorChangedSchema>): MailContent {
  const state = data.isEnabled ? "on" : "off";
  return {
    subject: `Two-factor authentication was switched ${state}`,
    heading: `Two-factor authentication is ${state}`,
    paragraphs: [
      data.isEnabled
        ? "From now on your Holdfast account asks for a code of your authenticator when you sign in. Keep your recovery codes where you find them without your phone."
        : "Your Holdfast account no longer asks for a code when you sign in.",
      "If it was not you, change your password and the setting at once.",
    ],
    facts: [["Changed", formatMoment(data.changedAt, data.timeZone)]],
    action: { label: "Open account security", url: data.settingsUrl },
    reason: "You receive this e-mail because it concerns the security of your account.",
  };
}
