/**
 * Returns when an item is due next: at its own moment of the period, derived from its id, so that a million items
 * spread over the day instead of all starting at midnight. The moment is at least an eighth of a period away, because
 * the first backup has just been queued.
 *
 * @param periodMs 24 h, or 12 h on Pro (spec part 2 section 9, part 3).
 */
export function nextDue(itemId: string, now: number, periodMs: number): number {
  const offset = spread(itemId) % periodMs;
  const earliest = now + periodMs / 8;
  const start = Math.floor(earliest / periodMs) * periodMs + offset;
  return start >= earliest ? start : start + periodMs;
}

/** The longest time from adding an item to its first due time. */
export const longestWait = (periodMs: number): number => periodMs + periodMs / 8;

/**
 * Returns the next future due time. It is always whole periods after `dueAt`, so the time of day does not drift, and
 * one run makes up for all missed periods.
 */
export function followingDue(dueAt: number, now: number, periodMs: number): number {
  const missed = Math.max(0, Math.floor((now - dueAt) / periodMs));
  return dueAt + (missed + 1) * periodMs;
}

/** FNV-1a over the id, spread to 42 bits. The same id always gives the same moment. */
function spread(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return hash * 1_009 + (hash >>> 7);
}
