/** What two answers share when the same rules decide about both; holding one of them holds the other. */
export function shapeOf(value: unknown): string {
  if (Array.isArray(value)) return `[${[...new Set(value.map(shapeOf))].sort().join("|")}]`;
  if (value === null) return "null";
  // Words may be members of an enumeration.
  if (typeof value === "string") return /^[\w .-]{1,30}$/.test(value) ? value : "string";
  if (typeof value !== "object") return typeof value;
  return `{${Object.entries(value)
    .map(([name, member]) => `${name}:${shapeOf(member)}`)
    .sort()
    .join(",")}}`;
}
