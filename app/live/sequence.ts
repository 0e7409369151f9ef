/** The last sequence number of the socket; null before the first welcome. */
export type SequenceState = { last: number | null };

export type SequenceStep = {
  state: SequenceState;
  /** False for a duplicate message. */
  isFresh: boolean;
  /** Messages are missing before this one, so shown data may be stale and must be refetched. */
  isGap: boolean;
};

/** Processes an event's sequence number. Numbers increase by one per account. */
export function stepEvent(state: SequenceState, seq: number): SequenceStep {
  if (state.last === null) return { state: { last: seq }, isFresh: true, isGap: true };
  if (seq <= state.last) return { state, isFresh: false, isGap: false };
  return { state: { last: seq }, isFresh: true, isGap: seq > state.last + 1 };
}

/** Tolerance for clock differences between two machines. */
const SKEW_MS = 1_000;

/**
 * Processes the sequence number of a welcome. The first welcome is a gap if something happened since the page was read
 * at `readAt`, because nobody listened yet. Later welcomes are always gaps: the socket was disconnected, and the number
 * alone does not reveal what it missed (a restarted account counts from zero).
 */
export function stepWelcome(
  state: SequenceState,
  { seq, newestAt }: { seq: number; newestAt: number },
  readAt: number,
): SequenceStep {
  const isStale = newestAt > readAt - SKEW_MS;
  return { state: { last: seq }, isFresh: true, isGap: state.last !== null || isStale };
}
