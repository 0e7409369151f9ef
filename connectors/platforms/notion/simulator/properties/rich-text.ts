import type { Json } from "#core/kernel/canonical-json.ts";
import { pageUrl, plainText, titleOf } from "../render.ts";
import type { Fields } from "../state.ts";
import { readDate } from "./dates.ts";
import { readCustomEmoji } from "./icons.ts";
import {
  type Input,
  readBoolean,
  readList,
  readObject,
  readOneOf,
  readText,
  readUrl,
  readUuid,
  typeOf,
} from "./read-input.ts";
import { userOf } from "./users.ts";
import { reach, type Writer } from "./writer.ts";

/** Limits of rich text in one request. Source: [limits]. */
export const SEGMENTS = 100;
export const SEGMENT_LENGTH = 2_000;
const EXPRESSION_LENGTH = 1_000;

/** Colours of texts and blocks. Source: contract, `ApiColor`. */
const NAMED = ["default", "gray", "brown", "orange", "yellow", "green", "blue", "purple", "pink", "red"];
export const COLORS: readonly string[] = [...NAMED, ...NAMED.map((name) => `${name}_background`)];

const MARKS = ["bold", "italic", "strikethrough", "underline", "code"] as const;

/** Reads rich text of a request and gives it as answers show it, with every annotation and the plain text. */
export function readRichText(writer: Writer, value: unknown, place: string): Json[] {
  return readList(value, place, SEGMENTS).map((segment, index) =>
    readSegment(writer, segment, `${place}[${index}]`),
  );
}

function readSegment(writer: Writer, value: unknown, place: string): Json {
  // Answers have two more members, which requests may repeat. Unproven: the recordings never do.
  const input = readObject(value, place, [
    ...["type", "text", "mention", "equation", "annotations", "plain_text", "href"],
  ]);
  const type = typeOf(input, place, ["text", "mention", "equation"]);
  const annotations = readAnnotations(input.annotations, `${place}.annotations`);
  if (type === "text") {
    const text = readObject(input.text, `${place}.text`, ["content", "link"]);
    const content = readText(text.content, `${place}.text.content`, SEGMENT_LENGTH);
    const link = readLink(text.link, `${place}.text.link`);
    return shown("text", { text: { content, link } }, content, (link?.url as string) ?? null, annotations);
  }
  if (type === "equation") {
    const equation = readObject(input.equation, `${place}.equation`, ["expression"]);
    const expression = readText(equation.expression, `${place}.equation.expression`, EXPRESSION_LENGTH);
    return shown("equation", { equation: { expression } }, expression, null, annotations);
  }
  const { mention, text, href } = readMention(writer, input.mention, `${place}.mention`);
  return shown("mention", { mention }, text, href, annotations);
}

function shown(type: string, own: Fields, text: string, href: string | null, annotations: Fields): Json {
  return { type, ...own, annotations, plain_text: text, href };
}

function readAnnotations(value: unknown, place: string): Fields {
  const input = value === undefined ? {} : readObject(value, place, [...MARKS, "color"]);
  const marks = MARKS.map((mark) => [
    mark,
    input[mark] === undefined ? false : readBoolean(input[mark], `${place}.${mark}`),
  ]);
  const color = input.color === undefined ? "default" : readOneOf(input.color, `${place}.color`, COLORS);
  return { ...Object.fromEntries(marks), color };
}

/** An address that is not absolute is the path of a page in the same workspace. Unproven; refused. */
function readLink(value: unknown, place: string): Fields | null {
  if (value === undefined || value === null) return null;
  return { url: readUrl(readObject(value, place, ["url"]).url, `${place}.url`) };
}

type Mention = { mention: Fields; text: string; href: string | null };

const MENTIONS = ["user", "date", "page", "database", "template_mention", "custom_emoji"] as const;

function readMention(writer: Writer, value: unknown, place: string): Mention {
  const input = readObject(value, place, ["type", ...MENTIONS]);
  const type = typeOf(input, place, MENTIONS);
  const own = readObject(input[type], `${place}.${type}`);
  if (type === "date") {
    const date = readDate(own, `${place}.date`);
    const text = date.end === null ? String(date.start) : `${date.start} → ${date.end}`;
    return { mention: { type, date }, text, href: null };
  }
  if (type === "template_mention") return readTemplateMention(own, `${place}.template_mention`);
  const id = readUuid(own.id, `${place}.${type}.id`);
  if (type === "user") {
    const { name } = userOf(writer, id);
    return { mention: { type, user: { object: "user", id } }, text: `@${name}`, href: null };
  }
  if (type === "custom_emoji") {
    const emoji = readCustomEmoji(writer, own, place);
    return { mention: { type, custom_emoji: emoji }, text: `:${emoji.name}:`, href: null };
  }
  // A mention of something that is not shared: unproven, so it is refused.
  const found = reach(writer, id, [type], type);
  const title = found.kind === "page" ? titleOf(found.thing) : plainText(found.thing.title);
  const href = pageUrl(writer.world, id);
  return { mention: { type, [type]: { id } }, text: title || "Untitled", href };
}

function readTemplateMention(own: Input, place: string): Mention {
  const kind = typeOf(own, place, ["template_mention_date", "template_mention_user"]);
  const value =
    kind === "template_mention_user"
      ? readOneOf(own[kind], `${place}.${kind}`, ["me"])
      : readOneOf(own[kind], `${place}.${kind}`, ["today", "now"]);
  const text = `@${value[0]?.toUpperCase()}${value.slice(1)}`;
  return {
    mention: { type: "template_mention", template_mention: { type: kind, [kind]: value } },
    text,
    href: null,
  };
}
