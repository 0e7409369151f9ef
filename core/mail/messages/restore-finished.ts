import { z } from "zod";
import { formatMoment } from "../format-moment.ts";
import type { MailContent } from "../mail-content.ts";

/** A restore has ended. The e-mail first says whether something is missing, and names it if the reader may know. */
export const restoreFinishedSchema = z.object({
  itemName: z.string(),
  takenAt: z.number(),
  /** The created item. Null when the restore failed. */
  restored: z.object({ name: z.string(), url: z.url() }).nullable(),
  errorText: z.string().nullable(),
  /**
   * Number of report lines that name something missing, and the first of these lines. No lines for readers who may not
   * see names.
   */
  missing: z.number().default(0),
  missingLines: z.array(z.object({ what: z.string(), reason: z.string() })).default([]),
  /** Number of report lines about things that came back in another form or cannot be restored. */
  notes: z.number().default(0),
  historyUrl: z.url(),
  timeZone: z.string(),
});
type Data = z.infer<typeof restoreFinishedSchema>;

export function restoreFinished(data: Data): MailContent {
  const { itemName, restored } = data;
  const version: [string, string] = ["Version of", formatMoment(data.takenAt, data.timeZone)];
  const reason = "You receive this e-mail because your address was given when the restore was started.";
  if (!restored) {
    return {
      subject: `The restore of ${itemName} failed`,
      heading: "The restore failed",
      paragraphs: [
        `${itemName} could not be restored. The original and its versions were not touched.`,
        ...(data.errorText ? [data.errorText] : []),
      ],
      facts: [version],
      action: { label: "Open the history", url: data.historyUrl },
      reason,
    };
  }
  const isIncomplete = data.missing > 0;
  const about = `${itemName} was restored as ${restored.name}`;
  return {
    subject: isIncomplete ? `${about}, but not all of it` : about,
    heading: headingOf(data),
    paragraphs: [
      `${about}. The original was not touched.`,
      ...(isIncomplete && data.missingLines.length === 0
        ? ["The report in the history says what is missing."]
        : []),
    ],
    facts: [
      version,
      ...(data.notes > 0 ? [["Notes", `${data.notes}, in the report of the history`] as const] : []),
    ],
    lists: data.missingLines.length > 0 ? [{ title: "What is missing", entries: missingEntries(data) }] : [],
    action: isIncomplete
      ? { label: "Open the report", url: data.historyUrl }
      : { label: "Open what was restored", url: restored.url },
    reason,
  };
}

function headingOf({ missing, notes }: Data): string {
  if (missing > 0) return "The restore is incomplete";
  if (notes > 0) return `The restore is complete, with ${notes} ${notes === 1 ? "note" : "notes"}`;
  return "The restore is complete";
}

/** Names and sentences may come from the platform; the e-mail shows each in one line. */
function missingEntries({ missing, missingLines }: Data) {
  const oneLine = (text: string) => text.replaceAll(/\s+/g, " ").trim();
  const entries = missingLines.map(({ what, reason }) => ({ text: oneLine(what), detail: oneLine(reason) }));
  return missing > entries.length
    ? [...entries, { text: "More, in the report of the history", detail: "" }]
    : entries;
}
