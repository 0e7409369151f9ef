import { renderToStaticMarkup } from "react-dom/server";
import type { MailContent, RenderedMail } from "./mail-content.ts";
import { MailLayout } from "./mail-layout.tsx";
import { mailText } from "./mail-text.ts";
import { headerLine, safeUrl } from "./plain-text.ts";

/**
 * Both forms of an e-mail and its headers. The layout is rendered by React itself: the renderer of react-email
 * brings a formatter and an HTML reader that nothing here needs, half a megabyte of Worker.
 * @throws TypeError when a link leads elsewhere than to the web
 */
export function renderMail(content: MailContent): RenderedMail {
  const { replyTo, unsubscribe } = content;
  return {
    subject: headerLine(content.subject),
    html: `<!DOCTYPE html>\n${renderToStaticMarkup(<MailLayout content={content} />)}\n`,
    text: mailText(content),
    ...(replyTo ? { replyTo: headerLine(replyTo) } : {}),
    ...(unsubscribe
      ? {
          headers: {
            "List-Unsubscribe": `<${safeUrl(unsubscribe.oneClickUrl)}>`,
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
          },
        }
      : {}),
  };
}
