/**
 * Sealed links for e-mails, which carry an encrypted message instead of a row's id as `content` and `iv` (spec part 1
 * section 2), and signed sentences in URLs.
 */
export { type OpenedLink, openLink, type SealedLink, sealLink } from "./sealed-link.ts";
export { isOurSentence, markSentence } from "./sentence-mark.ts";
export { useLink } from "./used-link.store.ts";
