import { equalBytes, hmacSha256, toBase64Url, utf8 } from "#core/kernel/crypto.ts";

type MarkDeps = { settings: { AUTH_SECRET: string } };
type Sentence = { userId: string; text: string };

/** Signs a sentence for one person. A consent page returns with the sentence in the URL, which anybody could forge. */
export async function markSentence(deps: MarkDeps, { userId, text }: Sentence): Promise<string> {
  const message = utf8(`sentence\n${userId}\n${text}`);
  return toBase64Url(await hmacSha256(utf8(deps.settings.AUTH_SECRET), message));
}

/** True when the mark is our signature of the sentence. */
export async function isOurSentence(
  deps: MarkDeps,
  { mark, ...sentence }: Sentence & { mark: string },
): Promise<boolean> {
  return equalBytes(utf8(await markSentence(deps, sentence)), utf8(mark));
}
