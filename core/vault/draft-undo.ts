/** Takes back, in memory, what a draft was told since a mark. */
export type DraftUndo = {
  /** Notes how to take a change back. */
  note(takeBack: () => void): void;
  /** What comes from now on can be taken back. */
  mark(): void;
  /** Takes everything since the mark back, the latest first. False = there is no mark, and nothing was taken back. */
  rollBack(): boolean;
  /** Drops the mark: something that came after it has left memory. */
  forget(): void;
};

/** Begins without a mark. */
export function createUndo(): DraftUndo {
  let changes: (() => void)[] | null = null;
  return {
    note: (takeBack) => {
      changes?.push(takeBack);
    },
    mark() {
      changes = [];
    },
    rollBack() {
      if (changes === null) return false;
      for (const takeBack of changes.reverse()) takeBack();
      changes = [];
      return true;
    },
    forget() {
      changes = null;
    },
  };
}
