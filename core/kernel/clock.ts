/** The only source of time. Code in `core/` receives a clock and never reads the system clock. */
export interface Clock {
  /** The current time in epoch milliseconds. */
  now(): number;
}

/** The system clock, for production wiring. */
export const systemClock: Clock = { now: () => Date.now() };

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
