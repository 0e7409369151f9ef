/** Reverts, in memory, changes to a draft since a mark. */
export type DraftUndo = {
  /** Registers how to revert a change. */
  note(takeBack: () => void): void;
  /** Sets the mark: later changes can be reverted. */
  mark(): void;
  /** Reverts all changes since the mark, latest first. Returns false when there is no mark. */
  rollBack(): boolean;
  /** Removes the mark, because a change after it has left memory. */
  forget(): void;
};

/** Creates an undo without a mark. */
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
