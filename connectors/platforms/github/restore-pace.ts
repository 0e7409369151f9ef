import type { CallLimit } from "#connectors/contract/restore-plan.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "#core/kernel/clock.ts";

/** GitHub takes 80 new contents a minute and 500 an hour (docs: rate limits for the REST API, secondary limits). */
const CONTENT_A_MINUTE = 80;
const CONTENT_AN_HOUR = 500;
/** Calls of one person (docs: rate limits for the REST API, primary limit); GitHub calls this quota `core`. */
const CALLS_AN_HOUR = 5_000;

/** Time between two new contents; after 500 of them GitHub itself says until when to wait. */
export const CONTENT_SPACING_MS = MINUTE_MS / CONTENT_A_MINUTE;
/** Known importers leave this much time between two issues. */
export const IMPORT_SPACING_MS = 500;
/** When an import is looked at again; most are done at the first look. */
export const POLLS_MS = [
  500,
  500,
  SECOND_MS,
  SECOND_MS,
  2 * SECOND_MS,
  5 * SECOND_MS,
  10 * SECOND_MS,
  30 * SECOND_MS,
] as const;

/** What a restore may do here, for its plan. */
export const LIMITS: readonly CallLimit[] = [
  { of: "calls", resource: "core", most: CALLS_AN_HOUR, periodMs: HOUR_MS },
  { of: "creations", resource: null, most: CONTENT_AN_HOUR, periodMs: HOUR_MS },
];
