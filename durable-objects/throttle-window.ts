/**
 * The start of the next window after `now`, in epoch ms.
 *
 * Windows are aligned to multiples of `windowMs` since the epoch. A 24-hour window ends at midnight UTC, a 10-minute
 * window at :00, :10, :20 … "Until the next window boundary" (spec part 2 section 9) then means the same time for every
 * item, and one countdown serves a whole list.
 *
 * @throws RangeError when `windowMs` is not a positive integer
 */
export function nextWindowStart(now: number, windowMs: number): number {
  if (!Number.isSafeInteger(windowMs) || windowMs <= 0) {
    throw new RangeError(`A window of ${windowMs} ms cannot be divided into.`);
  }
  return (Math.floor(now / windowMs) + 1) * windowMs;
}
