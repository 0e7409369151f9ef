import { z } from "zod";
import type { MailContent } from "../mail-content.ts";

/** Copies to the customer's own storage fail. */
export const storageTroubleSchema = z.object({
  storageLabel: z.string(),
  /** The account or bucket. */
  storageName: z.string(),
  /** The storage's error, as a sentence. */
  text: z.string(),
  /** True when the storage must be reconnected; otherwise copies are retried automatically. */
  mustReconnect: z.boolean(),
  settingsUrl: z.url(),
});

export function storageTrouble(data: z.infer<typeof storageTroubleSchema>): MailContent {
  return {
    subject: `${data.storageLabel}: versions are not being copied to ${data.storageName}`,
    heading: "Versions are not being copied",
    paragraphs: [
      data.text,
      data.mustReconnect
        ? "Connect the storage again; the versions that are missing there are copied then."
        : "Holdfast retries automatically and copies the missing versions once it works.",
      "Backups continue, and every version is kept here.",
    ],
    action: { label: "Open external storage", url: data.settingsUrl },
    reason: "You receive this e-mail because you own the account whose versions are copied there.",
  };
}
