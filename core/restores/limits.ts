/** Maximum number of items that one call restores (spec part 2 section 9, the larger reading; spec/README P-289). */
export const RESTORES_PER_CALL = 50;
/** Maximum number of versions per item that a bulk restore offers, newest first (spec P-165). */
export const RESTORE_POINTS_PER_ITEM = 150;
/** Maximum number of addresses that one restore notifies. */
export const MAX_EMAILS = 10;
/** Suffix of the default name (spec P-249). */
export const RESTORED_SUFFIX = "_restored";
/** Maximum number of restore targets per page. Others are found by name. */
export const TARGETS_PER_PAGE = 100;
