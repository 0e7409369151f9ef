/**
 * What no name may hold, whoever or whatever it is of: names go out in our e-mails, where a link would lead people away
 * and a sign that cannot be seen would make them read another name.
 */

/** Links, and what mail programs make one: letters of any script before and behind a dot of any width. */
const LINK = /http|www|:\/\/|[\p{L}\p{N}-]\.\p{L}{2,}/iu;

/**
 * Controls, lone surrogates, line and paragraph separators, and signs of format, which steer the direction of writing or
 * show nothing at all. The joiners U+200C and U+200D stay: Persian and Indic names are spelt with them.
 */
const UNSEEN = /(?![\u200c\u200d])[\p{Cc}\p{Cs}\p{Cf}\p{Zl}\p{Zp}]/u;

/** True for a name with a link in it, also one that a joiner or another form of the dot conceals. */
export function holdsLink(name: string): boolean {
  return LINK.test(
    name
      .normalize("NFKC")
      .replace(/[\u200c\u200d]/g, "")
      .replace(/\u3002/g, "."),
  );
}

/** True for a name with a sign that cannot be seen. */
export function holdsUnseen(name: string): boolean {
  return UNSEEN.test(name);
}
