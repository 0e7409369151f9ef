/** A code of the authenticator as the modal accepts it: 6 or 7 digits (spec A-336). */
export function isCode(text: string): boolean {
  return /^\d{6,7}$/.test(text);
}
