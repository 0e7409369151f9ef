/** Truncates a text to `length` UTF-16 units without splitting a surrogate pair. */
export function cutText(text: string, length: number): string {
  const cut = text.slice(0, length);
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
}
