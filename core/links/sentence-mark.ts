import { equalBytes, hmacSha256, toBase64Url, utf8 } from "#core/kernel/crypto.ts";

type MarkDeps = { settings: { AUTH_SECRET: string } };
type Sentence = { userId: string; text: string };

/**
 * A mark that shows a sentence in an address to be ours and said to this person. Where a consent page leads back, the
 * sentence comes with the address, and anybody can write one.
 */
export async function markSentence(deps: MarkDeps, { userId, text }: Sentence): Promise<string> {
  const message = utf8(`sentence\n${userId}\n${text}`);
  return toBase64Url(await hmacSha256(utf8(deps.settings.AUTH_SECRET), message));
}

/** True when the sentence carries our mark. */
export async function isOurSentence(
  deps: MarkDeps,
  { mark, ...sentence }: Sentence & { mark: string },
): Promise<boolean> {
  return equalBytes(utf8(await markSentence(deps, sentence)), utf8(mark));
}
