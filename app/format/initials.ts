/** First letters of the first and the last name. */
export function initialsOf(name: string): string {
  const parts = name.trim().split(/\s+/);
  const first = (part: string | undefined) => [...(part ?? "")][0] ?? "";
  const letters = parts.length > 1 ? first(parts[0]) + first(parts.at(-1)) : first(parts[0]);
  return letters.toUpperCase();
}
