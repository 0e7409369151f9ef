/**
 * A text as one line without characters that steer a terminal, a mail program or the direction of writing: a name
 * from outside must not add a header or pose as another line.
 */
export function singleLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]+/gu, " ").trim();
}

/** A header's value: one line of at most 200 characters. */
export function headerLine(text: string): string {
  return [...singleLine(text)].slice(0, 200).join("");
}

/** Links lead to web pages only. @throws TypeError for any other scheme */
export function safeUrl(url: string): string {
  const { protocol, href } = new URL(url);
  if (protocol !== "https:" && protocol !== "http:") throw new TypeError(`no link to ${protocol}`);
  return href;
}
