import type { MailContent, MailList, RenderedMail } from "./mail-content.ts";

/** The one look of our e-mails, as HTML without images, scripts or outside files, and as plain text. */
export function renderMail(content: MailContent): RenderedMail {
  return { subject: oneLine(content.subject), html: renderHtml(content), text: renderText(content) };
}

function renderText(content: MailContent): string {
  const { heading, paragraphs, code = "", facts = [], lists = [], action, after = [], reason } = content;
  const blocks = [
    heading,
    ...paragraphs,
    code,
    facts.map(([label, value]) => `${label}: ${value}`).join("\n"),
    ...lists.map(listText),
    action ? `${action.label}:\n${safeUrl(action.url)}` : "",
    ...after,
    `--\nHoldfast\n${reason}`,
    content.unsubscribe ? `Unsubscribe:\n${safeUrl(content.unsubscribe.pageUrl)}` : "",
  ];
  return `${blocks.filter((block) => block !== "").join("\n\n")}\n`;
}

function listText({ title, entries }: MailList): string {
  const lines = entries.map(({ text, detail, url }) =>
    [`- ${text}`, ...(detail ? [detail] : []), ...(url ? [safeUrl(url)] : [])].join("\n  "),
  );
  return [title, ...lines].join("\n");
}

const TEXT = "font-family:system-ui,-apple-system,'Segoe UI',sans-serif;font-size:16px;line-height:1.5";

function renderHtml({ subject, heading, paragraphs, facts = [], action, reason }: MailContent): string {
  const rows = facts
    .map(
      ([label, value]) =>
        `<tr><td style="padding:4px 16px 4px 0;color:#5b6470;vertical-align:top">${escapeHtml(label)}</td><td style="padding:4px 0">${escapeHtml(value)}</td></tr>`,
    )
    .join("");
  const button = action
    ? `<p style="margin:24px 0"><a href="${escapeHtml(safeUrl(action.url))}" style="display:inline-block;padding:12px 20px;border-radius:6px;background:#12355b;color:#ffffff;text-decoration:none">${escapeHtml(action.label)}</a></p>`
    : "";
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px;background:#f4f5f7;color:#1c2126;${TEXT}">
<div style="max-width:560px;margin:0 auto;padding:32px;background:#ffffff;border-radius:8px">
<p style="margin:0 0 24px;font-weight:600;color:#12355b">Holdfast</p>
<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">${escapeHtml(heading)}</h1>
${paragraphs.map((each) => `<p style="margin:0 0 16px">${escapeHtml(each)}</p>`).join("\n")}
${rows === "" ? "" : `<table role="presentation" style="border-collapse:collapse;margin:0 0 8px;${TEXT}">${rows}</table>`}
${button}
<p style="margin:32px 0 0;font-size:13px;color:#5b6470">${escapeHtml(reason)}</p>
</div></body></html>
`;
}

/** Text for HTML content and quoted attributes. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

/** Links lead to web pages only. @throws TypeError for any other scheme */
function safeUrl(url: string): string {
  const { protocol, href } = new URL(url);
  if (protocol !== "https:" && protocol !== "http:") throw new TypeError(`no link to ${protocol}`);
  return href;
}

/** Header values are one line: a name from outside must not add a header. */
function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .trim()
    .slice(0, 200);
}
