const UNITS = ["B", "KB", "MB", "GB", "TB", "PB"];

/** Size in decimal units with one decimal and a no-break space: "412.6 MB" (spec ). */
export function bytesText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  // Otherwise 999,950 would be shown as 1000.0.
  for (; value >= (unit === 0 ? 1000 : 999.95) && unit < UNITS.length - 1; unit++) value /= 1000;
  return `${value.toFixed(unit === 0 ? 0 : 1)}\u00a0${UNITS[unit]}`;
}
