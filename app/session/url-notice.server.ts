import type { AppLoadContext } from "@remix-run/cloudflare";
import { visibleText } from "#app/format/visible-text.ts";
import { isOurSentence } from "#core/links/index.ts";
import { requireMember } from "./require-member.server.ts";
import type { UrlNotice } from "./url-notice.ts";

/** Maximum length of foreign text that is shown. */
const MAX_LENGTH = 300;

/** The message that the page's URL carries in the given parameter; null if there is none. */
export async function noticeIn(
  context: AppLoadContext,
  request: Request,
  name: "error_message" | "warning_message",
): Promise<UrlNotice | null> {
  const { userId } = requireMember(context, request);
  const { searchParams } = new URL(request.url);
  const text = searchParams.get(name);
  if (!text) return null;
  const mark = searchParams.get("error_mark") ?? "";
  if (await isOurSentence(context.services, { userId, text, mark })) return { text, isOurs: true };
  return { text: visibleText(text.slice(0, MAX_LENGTH)), isOurs: false };
}
