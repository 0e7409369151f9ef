/** What every e-mail of ours consists of. All texts are plain; the layout escapes them. */
export type MailContent = {
  subject: string;
  /** Shown large at the top. */
  heading: string;
  paragraphs: readonly string[];
  /** Label and value, one line each. */
  facts?: readonly (readonly [label: string, value: string])[];
  action?: { label: string; url: string };
  /** Why this e-mail came, in one sentence. */
  reason: string;
};

export type RenderedMail = { subject: string; html: string; text: string };

/** The one look of our e-mails, as HTML without images, scripts or outside files, and as plain text. */
export function renderMail(content: MailContent): RenderedMail {
  return { subject: oneLine(content.subject), html: renderHtml(content), text: renderText(content) };
}

function renderText({ heading, paragraphs, facts = [], action, reason }: MailContent): string {
  const blocks = [
    heading,
    ...paragraphs,
    facts.map(([label, value]) => `${label}: ${value}`).join("\n"),
    action ? `${action.label}:\n${safeUrl(action.url)}` : "",
    `--\nHoldfast\n${reason}`,
  ];
  return `${blocks.filter((block) => block !== "").join("\n\n")}\n`;
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

/** A moment as the reader's time zone shows it, e.g. `3 November 2026 at 09:00 UTC`. */
export function formatMoment(at: number, timeZone: string): string {
  return `${new Intl.DateTimeFormat("en-GB", {
    dateStyle: "long",
    timeStyle: "short",
    timeZone,
  }).format(at)} (${timeZone})`;
}
