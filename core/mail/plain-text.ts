/**
 * Returns a text as one line, without characters that control a terminal, a mail program or the writing direction. A
 * name from outside must not add a header or look like another line.
 */
export function singleLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]+/gu, " ").trim();
}

/** Returns a header value: one line of at most 200 characters. */
export function headerLine(text: string): string {
  return [...singleLine(text)].slice(0, 200).join("");
}

/** Returns the URL of a web page. @throws TypeError for any scheme except http and https */
export function safeUrl(url: string): string {
  const { protocol, href } = new URL(url);
  if (protocol !== "https:" && protocol !== "http:") throw new TypeError(`no link to ${protocol}`);
  return href;
}
