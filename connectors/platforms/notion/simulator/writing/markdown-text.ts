import type { Json } from "#core/kernel/canonical-json.ts";
import { SEGMENT_LENGTH } from "../properties/rich-text.ts";
import type { Fields } from "../state.ts";

/** Marks of Markdown inside a line, in the order of their search. Nested marks are left as text. */
const MARKS: [RegExp, Partial<Record<"bold" | "italic" | "strikethrough" | "code", true>>][] = [
  [/^\*\*([^*]+)\*\*/, { bold: true }],
  [/^\*([^*]+)\*/, { italic: true }],
  [/^~~([^~]+)~~/, { strikethrough: true }],
  [/^`([^`]+)`/, { code: true }],
];

/** Rich text of a line of Markdown, as answers show it. */
export function markdownText(line: string): Json[] {
  const segments: Json[] = [];
  let plain = "";
  const flush = () => {
    for (let at = 0; at < plain.length; at += SEGMENT_LENGTH)
      segments.push(segment(plain.slice(at, at + SEGMENT_LENGTH), {}, null));
    plain = "";
  };
  for (let rest = line; rest !== ""; ) {
    const link = /^\[([^\]]+)\]\((https?:\/\/[^\s)]+)\)/.exec(rest);
    const mark = MARKS.flatMap(([pattern, marks]) => {
      const found = pattern.exec(rest);
      return found ? [{ found, marks }] : [];
    })[0];
    if (link || mark) {
      flush();
      segments.push(link ? segment(link[1]!, {}, link[2]!) : segment(mark!.found[1]!, mark!.marks, null));
      rest = rest.slice((link ?? mark!.found)[0].length);
    } else {
      plain += rest[0];
      rest = rest.slice(1);
    }
  }
  flush();
  return segments;
}

function segment(content: string, marks: Fields, url: string | null): Json {
  return {
    type: "text",
    text: { content, link: url === null ? null : { url } },
    annotations: {
      ...{ bold: false, italic: false, strikethrough: false, underline: false, code: false },
      ...{ color: "default", ...marks },
    },
    ...{ plain_text: content, href: url },
  };
}
