/**
 * What no name may contain, of a person or anything else. Our e-mails contain names: a link could lead people away, and
 * an invisible character could make one name look like another.
 */

/** Links, and text that mail programs turn into links: letters of any script before and after a dot of any width. */
const LINK = /http|www|:\/\/|[\p{L}\p{N}-]\.\p{L}{2,}/iu;

/**
 * Control characters, lone surrogates, line and paragraph separators, and format characters, which change the writing
 * direction or are invisible. The joiners U+200C and U+200D are allowed: Persian and Indic names need them.
 */
const UNSEEN = /(?![\u200c\u200d])[\p{Cc}\p{Cs}\p{Cf}\p{Zl}\p{Zp}]/u;

/** True for a name that contains a link, even one disguised with a joiner or another form of the dot. */
export function holdsLink(name: string): boolean {
  return LINK.test(
    name
      .normalize("NFKC")
      .replace(/[\u200c\u200d]/g, "")
      .replace(/\u3002/g, "."),
  );
}

/** True for a name that contains an invisible character. */
export function holdsUnseen(name: string): boolean {
  return UNSEEN.test(name);
}
