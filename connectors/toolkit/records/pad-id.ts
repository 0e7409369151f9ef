const DIGITS = 12;

/** A number or numeric id as part of a path, padded with zeros so that paths sort numerically. */
export function padId(id: string | number): string {
  return String(id).padStart(DIGITS, "0");
}
