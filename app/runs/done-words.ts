import { runsCopy } from "#app/copy/runs.ts";
import { bytesText } from "#app/format/bytes.ts";
import type { DoneRun } from "#core/rounds/views.ts";

const copy = runsCopy.done;

/** The result of a run in a word. A success stays one, however many notes it has; what is missing makes it incomplete. */
export type DoneStatus = "success" | "notes" | "incomplete" | "failed";

/** The status that an ended run is shown with. */
export function doneStatus({ isFailed, skipped, outcome }: DoneRun): DoneStatus {
  if (isFailed) return "failed";
  if (outcome !== null && outcome.missing > 0) return "incomplete";
  return skipped > 0 || (outcome !== null && outcome.notes > 0) ? "notes" : "success";
}

/** What a run did, in words, or why it failed. */
export function doneText({ kind, isFailed, errorText, newBytes, skipped, outcome }: DoneRun): string {
  if (isFailed) return errorText ?? copy.noReason;
  if (kind === "export") return copy.zip;
  if (kind === "restore") {
    const { missing, notes } = outcome ?? { missing: 0, notes: 0 };
    const parts = [missing > 0 && copy.missing(missing), notes > 0 && copy.notes(notes)];
    return [copy.restored, ...parts.filter(Boolean)].join(", ");
  }
  const parts = [
    newBytes !== null && (newBytes === 0 ? copy.nothingNew : copy.newBytes(bytesText(newBytes))),
    skipped > 0 && copy.skipped(skipped),
  ];
  return parts.filter(Boolean).join(", ");
}
