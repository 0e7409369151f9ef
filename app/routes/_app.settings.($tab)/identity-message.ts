import { identityWords } from "#app/copy/settings.ts";

/** A message of the identity service as people read it; one that is not known stays as it is (spec ). */
export function identityMessage(message: string): string {
  const plain = message.trim().replace(/\.$/, "");
  return Object.hasOwn(identityWords, plain) ? (identityWords[plain] ?? message) : message;
}

/** A code of the authenticator as the modal accepts it: 6 or 7 digits (spec A-336). */
export function isCode(text: string): boolean {
  return /^\d{6,7}$/.test(text);
}
