/**
 * The start of the window after the one that `now` lies in, in epoch ms.
 *
 * Windows are aligned: they begin at whole multiples of `windowMs` since the epoch, so a window of 24 hours ends
 * at midnight UTC and one of 10 minutes at :00, :10, :20 … "Until the next window boundary" (spec part 2 section 9)
 * then means the same time for every item, and one countdown serves a whole list.
 *
 * @throws RangeError when `windowMs` is not a positive whole number
 */
export function nextWindowStart(now: number, windowMs: number): number {
  if (!Number.isSafeInteger(windowMs) || windowMs <= 0) {
    throw new RangeError(`A window of ${windowMs} ms cannot be divided into.`);
  }
  return (Math.floor(now / windowMs) + 1) * windowMs;
}
