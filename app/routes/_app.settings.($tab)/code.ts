/** True for an authenticator code that the dialog accepts: 6 or 7 digits (spec A-336). */
export function isCode(text: string): boolean {
  return /^\d{6,7}$/.test(text);
}
