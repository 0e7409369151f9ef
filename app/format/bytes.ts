import { filesize } from "filesize";

/** Size in decimal units with one decimal and a no-break space: "412.6 MB" (spec ). */
export function bytesText(bytes: number): string {
  const [value, unit] = filesize(bytes, { base: 10, round: 1, output: "array" });
  return `${Number(value).toFixed(unit === "B" ? 0 : 1)}\u00a0${unit === "kB" ? "KB" : unit}`;
}
