/** Text that a spreadsheet would run as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** One line of a CSV file (RFC 4180). Foreign text stays text: no cell begins like a formula. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(cell).join(",")}\r\n`;
}

function cell(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
