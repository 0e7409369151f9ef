/** Items that one call restores at most (spec part 2 section 9, the larger reading; spec/README P-289). */
export const RESTORES_PER_CALL = 50;
/** Addresses that one restore announces itself to. */
export const MAX_EMAILS = 10;
/** What an empty name becomes (spec P-249). */
export const RESTORED_SUFFIX = "_restored";
