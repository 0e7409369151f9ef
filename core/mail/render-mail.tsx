import { renderToStaticMarkup } from "react-dom/server";
import type { MailContent, RenderedMail } from "./mail-content.ts";
import { MailLayout } from "./mail-layout.tsx";
import { mailText } from "./mail-text.ts";
import { headerLine, safeUrl } from "./plain-text.ts";

/**
 * Renders both forms of an e-mail and its headers. The layout is rendered by React itself: the renderer of react-email
 * brings an unneeded formatter and HTML parser, half a megabyte of Worker.
 * @throws TypeError for a link that is not http or https
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
