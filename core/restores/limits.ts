/** Items that one call restores at most (spec part 2 section 9, the larger reading; spec/README P-289). */
export const RESTORES_PER_CALL = 50;
/** Versions of an item that a bulk restore offers at most, the newest ones (spec P-165). */
export const RESTORE_POINTS_PER_ITEM = 150;
/** Addresses that one restore announces itself to. */
export const MAX_EMAILS = 10;
/** What an empty name becomes (spec P-249). */
export const RESTORED_SUFFIX = "_restored";
/** Items that are offered at once to take a part of a version; others are found by their name. */
export const TARGETS_PER_PAGE = 100;
