const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A duration in at most two units: "5 h 12 m", "1 m 48 s", "3 d". Negative durations count as zero. */
export function durationText(ms: number): string {
  const rest = Math.max(0, ms);
  if (rest >= 2 * DAY) return `${Math.floor(rest / DAY)} d`;
  if (rest >= HOUR) return join(Math.floor(rest / HOUR), "h", Math.floor((rest % HOUR) / MINUTE), "m");
  if (rest >= MINUTE) return join(Math.floor(rest / MINUTE), "m", Math.floor((rest % MINUTE) / SECOND), "s");
  return `${Math.floor(rest / SECOND)} s`;
}

/** The time between two moments, in at most two units: "15 d 12 h", "5 h 12 m". */
export function spanText(ms: number): string {
  const rest = Math.max(0, ms);
  if (rest < DAY) return durationText(rest);
  return join(Math.floor(rest / DAY), "d", Math.floor((rest % DAY) / HOUR), "h");
}

/** An estimate in one unit, rounded up: "about 2 m", "under 1 m". */
export function aboutText(ms: number): string {
  if (ms < MINUTE) return "under 1 m";
  if (ms < 90 * MINUTE) return `about ${Math.ceil(ms / MINUTE)} m`;
  return `about ${Math.ceil(ms / HOUR)} h`;
}

/** An estimate in words: "under a minute", "about 25 minutes", "about 3 hours", "about 2 days". */
export function spokenDuration(ms: number): string {
  if (ms < MINUTE) return "under a minute";
  if (ms < 90 * MINUTE) return about(Math.ceil(ms / MINUTE), "minute");
  if (ms < 2 * DAY) return about(Math.ceil(ms / HOUR), "hour");
  return about(Math.ceil(ms / DAY), "day");
}

function about(count: number, unit: string): string {
  return `about ${count} ${unit}${count === 1 ? "" : "s"}`;
}

/** Relative time: "just now", "24 m ago", "12 h ago", "2 d ago". */
export function agoText(at: number, now: number): string {
  const passed = now - at;
  if (passed < MINUTE) return "just now";
  if (passed < HOUR) return `${Math.floor(passed / MINUTE)} m ago`;
  if (passed < 2 * DAY) return `${Math.floor(passed / HOUR)} h ago`;
  return `${Math.floor(passed / DAY)} d ago`;
}

/** Countdown in hours and minutes, rounded up so that it never shows zero too early: "5 h 12 m". */
export function countdownText(until: number, now: number): string {
  const minutes = Math.max(1, Math.ceil((until - now) / MINUTE));
  if (minutes < 60) return `${minutes} m`;
  return join(Math.floor(minutes / 60), "h", minutes % 60, "m");
}

function join(first: number, firstUnit: string, second: number, secondUnit: string): string {
  return second === 0 ? `${first} ${firstUnit}` : `${first} ${firstUnit} ${second} ${secondUnit}`;
}

/** An age in one unit, rounded down: "24 m", "31 h", "3 d". */
export function ageText(ms: number): string {
  return agoText(0, ms).replace(" ago", "");
}
