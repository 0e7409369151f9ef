import { z } from "zod";
import { storedJson } from "#core/kernel/stored-json.ts";

const outcomes = z.array(z.object({ what: z.string(), reason: z.string() }));

const reportSchema = z.object({
  item: z.object({
    externalId: z.string(),
    name: z.string(),
    fullName: z.string(),
    webUrl: z.string(),
  }),
  restored: z.record(z.string(), z.number()),
  changed: outcomes,
  impossible: outcomes,
  /** What should have come back and did not. Reports once called it impossible. */
  missing: outcomes.default([]),
  /** Old → new numbers and ids, as many as a report holds. Restores once did not tell them. */
  mapped: z
    .array(z.object({ kind: z.string(), from: z.string(), to: z.string(), url: z.string().nullable() }))
    .default([]),
  mappedCount: z.number().default(0),
});

/** What a restore run leaves: what came back, in which form, what has no way back, and what is missing. */
export type RestoreReport = z.output<typeof reportSchema>;

/** The form in which a run keeps its report. */
export const restoreReport = storedJson(1, reportSchema);

/**
 * How a restore ended that did not fail. Both are numbers of lines of its report, not of things: one line may name several
 * things, and the last one may say how many more there are. `missing` lines say what should have come back and did not,
 * and one of them makes the restore incomplete; `notes` say what has another form now or no way back at the platform.
 */
export type RestoreOutcome = { missing: number; notes: number };

/** The outcome that a report tells of. */
export function outcomeOf({
  missing,
  changed,
  impossible,
}: Pick<RestoreReport, "missing" | "changed" | "impossible">): RestoreOutcome {
  return { missing: missing.length, notes: changed.length + impossible.length };
}
