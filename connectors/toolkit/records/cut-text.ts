/** The beginning of a text, at most so many UTF-16 units of it, and never half of a character that takes two. */
export function cutText(text: string, length: number): string {
  const cut = text.slice(0, length);
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
}
