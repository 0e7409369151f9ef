/** The default picture of a person: their initials on a colour derived from the name, as SVG. */
export function initialsPicture(name: string): string {
  const hue = [...name].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 360, 11);
  const initials = name
    .split(/[^A-Za-z0-9]+/)
    .map((part) => part.charAt(0).toUpperCase())
    .slice(0, 2)
    .join("");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" fill="hsl(${hue} 45% 45%)"/><text x="20" y="26" font-family="system-ui" font-size="16" font-weight="600" fill="#fff" text-anchor="middle">${initials}</text></svg>`;
}
