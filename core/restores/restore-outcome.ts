import type { RestoreReport } from "./restore-report.schema.ts";

/**
 * How a restore ended that did not fail: `missing` things should have come back and did not, which makes it incomplete;
 * `notes` say what has another form now or has no way back at the platform.
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
