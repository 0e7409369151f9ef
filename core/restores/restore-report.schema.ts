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
  /** What the version holds, by the kinds of `restored`, where that is known exactly. Older reports do not have it. */
  held: z.record(z.string(), z.number()).default({}),
  /** What was read back from the platform and compared with the version. */
  compared: z.array(z.object({ what: z.string(), same: z.number(), all: z.number() })).default([]),
  changed: outcomes,
  impossible: outcomes,
  /** What should have been restored and was not. Older reports listed it under `impossible`. */
  missing: outcomes.default([]),
  /** Old → new numbers and ids, as many as a report holds. Older reports do not have them. */
  mapped: z
    .array(z.object({ kind: z.string(), from: z.string(), to: z.string(), url: z.string().nullable() }))
    .default([]),
  mappedCount: z.number().default(0),
});

/** The report of a restore run: what was restored, in which form, what cannot be restored, and what is missing. */
export type RestoreReport = z.output<typeof reportSchema>;

/** The stored form of a run's report. */
export const restoreReport = storedJson(1, reportSchema);

/**
 * The outcome of a restore that did not fail. Both numbers count lines of its report, not things: a line may name
 * several things, and the last line may say how many more there are. `missing` lines name what should have been
 * restored and was not; one of them makes the restore incomplete. `notes` lines name what has another form now or
 * cannot be restored on the platform.
 */
export type RestoreOutcome = { missing: number; notes: number };

/** Derives the outcome from a report. */
export function outcomeOf({
  missing,
  changed,
  impossible,
}: Pick<RestoreReport, "missing" | "changed" | "impossible">): RestoreOutcome {
  return { missing: missing.length, notes: changed.length + impossible.length };
}

const NO_ROOM = "The report has no room for them.";

/** The last line of a list that has no room for more of them. */
export function unlistedLine(count: number): RestoreReport["missing"][number] {
  return { what: `${count} more`, reason: NO_ROOM };
}

/** Counts the lines of a list, with those that it has no room for. */
export function countLines(lines: RestoreReport["missing"]): number {
  const last = lines.at(-1);
  const more = last?.reason === NO_ROOM ? Number.parseInt(last.what, 10) : 1;
  return lines.length === 0 ? 0 : lines.length - 1 + more;
}
