/** CSV (RFC 4180) with a mark of its encoding, which spreadsheets need. */
export function toCsv(table: readonly (readonly string[])[]): string {
  return `${CSV_START}${table.map((row) => `${csvRow(row)}\r\n`).join("")}`;
}

/** What a CSV file begins with. */
export const CSV_START = "\ufeff";

/** One line without its end. Values that a spreadsheet would run as a formula get a leading apostrophe. */
export function csvRow(values: readonly string[]): string {
  return values.map(csvField).join(",");
}

function csvField(value: string): string {
  const text = /^[\s]*[=+\-@]/.test(value) && Number.isNaN(Number(value)) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
