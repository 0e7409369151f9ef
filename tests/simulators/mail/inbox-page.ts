import { html, raw } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";

/** A received mail. */
export type InboxMessage = {
  id: string;
  /** Epoch milliseconds. */
  at: number;
  from: string;
  to: string[];
  subject: string;
  html: string;
  text: string;
  key: string | null;
  replyTo: string | null;
  headers: Record<string, string>;
};

type Page = HtmlEscapedString | Promise<HtmlEscapedString>;

/** All mails, newest first. */
export function inboxPage(messages: readonly InboxMessage[]): Page {
  const rows = messages.map(
    (message) => html`<a class="row" href="/messages/${message.id}">
      <strong>${message.subject}</strong><span>${message.to.join(", ")}</span>
      <time>${new Date(message.at).toISOString().slice(0, 16).replace("T", " ")}</time></a>`,
  );
  return frame(
    "Inbox",
    html`<h1>Inbox</h1>${rows.length > 0 ? rows : html`<p class="quiet">No mail yet.</p>`}`,
  );
}

/** One mail. Its HTML is shown in an iframe; its links open in the top window. */
export function mailPage(message: InboxMessage): Page {
  const framed = `<base target="_top">${message.html}`;
  return frame(
    message.subject,
    html`<p><a href="/">← Inbox</a></p><h1>${message.subject}</h1>
      <p class="quiet">From ${message.from}<br>To ${message.to.join(", ")}${
        message.replyTo ? html`<br>Answers to ${message.replyTo}` : ""
      }</p>
      ${
        message.html
          ? html`<iframe title="Mail" sandbox="allow-top-navigation allow-top-navigation-by-user-activation allow-popups" srcdoc="${framed}"></iframe>`
          : ""
      }
      <h2>Plain text</h2><pre>${raw(linked(message.text))}</pre>`,
  );
}

/** Escapes a text and turns its URLs into links. */
function linked(text: string): string {
  const escaped = text.replace(/[&<>"']/g, (letter) => `&#${letter.codePointAt(0)};`);
  return escaped.replace(/https?:\/\/[^\s<]+/g, (url) => `<a href="${url}">${url}</a>`);
}

function frame(title: string, content: unknown): Page {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · simulated inbox</title>
<style>
  :root { color-scheme: light dark; --line: #d8d8dc; --quiet: #66666e; --card: #fff; --ground: #f5f5f7; --ink: #1c1c20; }
  @media (prefers-color-scheme: dark) {
    :root { --line: #37373d; --quiet: #a0a0a8; --card: #1c1c20; --ground: #111114; --ink: #f2f2f4; }
  }
  body { margin: 0; padding: 32px 16px; background: var(--ground); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
  main { max-width: 760px; margin: auto; padding: 24px; background: var(--card); border: 1px solid var(--line); border-radius: 12px; }
  h1 { margin: 0 0 12px; font-size: 22px; } h2 { font-size: 14px; color: var(--quiet); }
  a { color: #4c7dd8; } .quiet { color: var(--quiet); }
  .row { display: grid; grid-template-columns: 2fr 1.4fr auto; gap: 12px; padding: 12px 0; border-top: 1px solid var(--line);
    color: inherit; text-decoration: none; overflow-wrap: anywhere; }
  .row span, .row time { color: var(--quiet); }
  iframe { width: 100%; height: 460px; border: 1px solid var(--line); border-radius: 8px; background: #fff; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; }
</style></head><body><main>${content}</main></body></html>`;
}
