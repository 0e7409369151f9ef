import type { ErasedVersion } from "./erasure-marks.ts";
import type { ShownVersion, StoredState } from "./types.ts";

/**
 * The versions that the states show, oldest first: each state once, at the time when it was first seen.
 *
 * Days on which nothing changed left no object. A state was seen until the next one at most, or until now, so its version
 * lasts as long as one that was taken then. A version that was erased is not shown; if later ones showed the same state and
 * stay, the next of them is.
 */
export function showVersions({
  states,
  erased,
  now,
}: {
  states: readonly StoredState[];
  erased: ReadonlyMap<string, ErasedVersion>;
  now: number;
}): ShownVersion[] {
  const shown = new Map<string, ShownVersion>();
  for (const [at, state] of states.entries()) {
    const version = standing(state, erased);
    if (!version) continue;
    const seenUntil = Math.max(version.takenAt, states[at + 1]?.snapshot.takenAt ?? now);
    const expiresAt = version.expiresAt + seenUntil - version.takenAt;
    shown.set(version.id, { ...version, expiresAt, manifestId: state.manifest.id, state });
  }
  return [...shown.values()].sort((a, b) => a.takenAt - b.takenAt);
}

/** The version that shows a state, after erasures; null when none is left. */
function standing({ snapshot }: StoredState, erased: ReadonlyMap<string, ErasedVersion>) {
  let current: Pick<ShownVersion, "id" | "runId" | "takenAt" | "expiresAt" | "newBytes"> = snapshot;
  for (;;) {
    const mark = erased.get(current.id);
    if (!mark) return current;
    if (!mark.shownBy || mark.shownBy.takenAt <= current.takenAt) return null;
    current = { ...mark.shownBy, newBytes: 0 };
  }
}
