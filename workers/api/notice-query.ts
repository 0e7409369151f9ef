import type { AppError } from "#core/kernel/app-error.ts";
import { markSentence } from "#core/links/index.ts";
import type { Member } from "#core/organisations/index.ts";
import type { Services } from "#workers/services.ts";

/**
 * The error message as query parameters. The mark lets the page tell our message from text that somebody else put into
 * the URL (spec B-280).
 */
export async function noticeQuery(
  services: Pick<Services, "settings">,
  { userId }: Member,
  { message }: AppError,
): Promise<{ error_message: string; error_mark: string }> {
  return { error_message: message, error_mark: await markSentence(services, { userId, text: message }) };
}
