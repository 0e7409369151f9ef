import type { AppError } from "#core/kernel/app-error.ts";
import { markSentence } from "#core/links/index.ts";
import type { Member } from "#core/organisations/index.ts";
import type { Services } from "#workers/services.ts";

/** What an address says of a refusal, so that its page can tell our sentence from other people's words (spec B-280). */
export async function toldQuery(
  services: Services,
  { userId }: Member,
  { message }: AppError,
): Promise<{ error_message: string; error_mark: string }> {
  return { error_message: message, error_mark: await markSentence(services, { userId, text: message }) };
}
