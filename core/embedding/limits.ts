import { DAY_MS, MINUTE_MS } from "#core/kernel/clock.ts";

/** A code is handed over at once; a slow page may take a moment. */
export const CODE_MS = MINUTE_MS;

/**
 * The host calls every hour while the app is installed and reports no removal, so an installation that was silent for this
 * long is over: its frames are signed out, and nobody is signed in in one.
 */
export const SILENT_MS = 3 * DAY_MS;
