import { browseCopy as copy } from "#app/copy/browse.ts";
import { visibleText } from "#app/format/visible-text.ts";

/** A foreign text: HTML rendered on the server by `renderMarkdown`, or plain text without it. */
export function MarkdownBody({ html, text }: { html: string | null; text: string | null }) {
  if (html !== null) {
    // biome-ignore lint/security/noDangerouslySetInnerHtml: -- renderMarkdown drops tags and unsafe URLs
    return <div className="markdown" dir="auto" dangerouslySetInnerHTML={{ __html: html }} />;
  }
  if (text === null) return <p className="soft">{copy.noText}</p>;
  return <pre className="code-block is-wrapped">{visibleText(text)}</pre>;
}
