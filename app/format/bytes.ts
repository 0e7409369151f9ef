import { filesize } from "filesize";

/**
 * A size for people: decimal units (as the platforms count), one decimal place from megabytes up, and a no-break space so
 * that the number never parts from its unit. Null is shown as the ledger's dash.
 */
export function formatBytes(sizeBytes: number | null): string {
  if (sizeBytes === null) return "-";
  const round = Math.abs(sizeBytes) < 1_000_000 ? 0 : 1;
  return filesize(sizeBytes, { standard: "si", base: 10, round, pad: round > 0, spacer: "\u00a0" });
}
