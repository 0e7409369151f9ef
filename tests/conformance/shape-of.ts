/**
 * A key for the shape of a response. The same schema rules apply to responses with equal keys, so checking one
 * suffices.
 */
export function shapeOf(value: unknown): string {
  if (Array.isArray(value)) return `[${[...new Set(value.map(shapeOf))].sort().join("|")}]`;
  if (value === null) return "null";
  // A short string may be a member of an enumeration.
  if (typeof value === "string") return /^[\w .-]{1,30}$/.test(value) ? value : "string";
  if (typeof value !== "object") return typeof value;
  return `{${Object.entries(value)
    .map(([name, member]) => `${name}:${shapeOf(member)}`)
    .sort()
    .join(",")}}`;
}
