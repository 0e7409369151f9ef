/** Where a socket stands in the account's count of messages; null before the first welcome. */
export type SequenceState = { last: number | null };

export type SequenceStep = {
  state: SequenceState;
  /** False for a message that was already seen. */
  isFresh: boolean;
  /** Messages are missing before this one: what is shown may be stale and must be fetched again. */
  isGap: boolean;
};

/** Follows one event's number. Numbers rise by one per account. */
export function stepEvent(state: SequenceState, seq: number): SequenceStep {
  if (state.last === null) return { state: { last: seq }, isFresh: true, isGap: true };
  if (seq <= state.last) return { state, isFresh: false, isGap: false };
  return { state: { last: seq }, isFresh: true, isGap: seq > state.last + 1 };
}

/** Clocks of two machines differ by less. */
const SKEW_MS = 1_000;

/**
 * Takes over the count of a welcome. The first one is a gap when something happened since the page was read at `readAt`:
 * nobody listened yet. A later one means the socket was away; what it missed cannot be told from the number alone (a
 * restarted account counts anew), so every later one is a gap.
 */
export function stepWelcome(
  state: SequenceState,
  { seq, newestAt }: { seq: number; newestAt: number },
  readAt: number,
): SequenceStep {
  const isStale = newestAt > readAt - SKEW_MS;
  return { state: { last: seq }, isFresh: true, isGap: state.last !== null || isStale };
}
