const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Whole hours and minutes: "3 h 12 m", "12 m"; what is left of a minute counts as one. Never below "0 m". */
export function formatHoursMinutes(ms: number): string {
  const minutes = Math.max(0, Math.ceil(ms / MINUTE));
  const hours = Math.floor(minutes / 60);
  return hours === 0 ? `${minutes}\u00a0m` : `${hours}\u00a0h ${minutes % 60}\u00a0m`;
}

/** Elapsed time with seconds while they matter: "48 s", "1 m 48 s", "1 h 20 m". */
export function formatElapsed(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds}\u00a0s`;
  if (ms < HOUR) return `${Math.floor(seconds / 60)}\u00a0m ${seconds % 60}\u00a0s`;
  return formatHoursMinutes(Math.floor(ms / MINUTE) * MINUTE);
}
