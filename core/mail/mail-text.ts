import type { MailContent, MailList } from "./mail-content.ts";
import { safeUrl, singleLine } from "./plain-text.ts";

/** The plain-text form of an e-mail: the same words, with every link written out. */
export function mailText(content: MailContent): string {
  const { code, facts = [], lists = [], action, after = [], unsubscribe } = content;
  const blocks = [
    singleLine(content.heading),
    ...content.paragraphs.map(singleLine),
    code ? singleLine(code) : "",
    facts.map(([label, value]) => `${singleLine(label)}: ${singleLine(value)}`).join("\n"),
    ...lists.map(listText),
    action ? `${singleLine(action.label)}:\n${safeUrl(action.url)}` : "",
    ...after.map(singleLine),
    `--\nHoldfast\n${singleLine(content.reason)}`,
    unsubscribe
      ? `Change what you receive:\n${safeUrl(unsubscribe.settingsUrl)}\n\nUnsubscribe:\n${safeUrl(unsubscribe.pageUrl)}`
      : "",
  ];
  return `${blocks.filter((block) => block !== "").join("\n\n")}\n`;
}

function listText({ title, entries }: MailList): string {
  const lines = entries.map(({ text, detail, url }) =>
    [`- ${singleLine(text)}`, ...(detail ? [singleLine(detail)] : []), ...(url ? [safeUrl(url)] : [])].join(
      "\n  ",
    ),
  );
  return [singleLine(title), ...lines].join("\n");
}
