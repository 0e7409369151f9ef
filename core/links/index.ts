/**
 * Addresses that say something: links in e-mails that carry a sealed message instead of a row's id, `content` and `iv`
 * (spec part 1 section 2), and sentences that are shown to be ours by a mark.
 */
export { type OpenedLink, openLink, type SealedLink, sealLink } from "./sealed-link.ts";
export { isOurSentence, markSentence } from "./sentence-mark.ts";
export { useLink } from "./used-link.store.ts";
