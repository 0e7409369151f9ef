const DIGITS = 12;

/** A number or numeric id as part of a path: zeros in front make the order of paths the order of numbers. */
export function padId(id: string | number): string {
  return String(id).padStart(DIGITS, "0");
}
