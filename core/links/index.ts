/** Links in e-mails that carry a sealed message instead of a row's id: `content` and `iv` (spec part 1 section 2). */
export { type OpenedLink, openLink, type SealedLink, sealLink } from "./sealed-link.ts";
export { useLink } from "./used-link.store.ts";
