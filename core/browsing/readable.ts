import type { Json } from "#core/kernel/canonical-json.ts";
import { fieldWords } from "#core/kernel/field-words.ts";
import type { Readable } from "./views.ts";

/** Names that platforms use for the same thing, the most informative first. */
const TITLE = ["title", "name", "tag_name", "tagName", "file_name", "filename", "full_name", "fullName"];
const BODY = ["body", "description", "note", "content", "text"];
const AUTHOR = ["user", "author", "creator", "owner", "actor"];
const AUTHOR_NAME = ["login", "username", "name"];
const CREATED = ["created_at", "createdAt", "submitted_at", "submittedAt", "published_at", "publishedAt"];
const UPDATED = ["updated_at", "updatedAt", "last_edited_at", "lastEditedAt"];
const NUMBER = ["number", "iid"];
const STATE = ["state", "status", "event"];
const URL_KEYS = ["html_url", "web_url", "webUrl", "url"];
/** Already shown on the page, or useful only to programs. */
const HIDDEN = new Set([
  ...[TITLE, BODY, AUTHOR, CREATED, UPDATED, NUMBER, STATE, URL_KEYS].flat(),
  "labels",
  "id",
  "node_id",
  "nodeId",
]);
const MOST_FACTS = 40;
const LONGEST_FACT = 300;

/**
 * Extracts what people look for from a record. Platforms use similar names, so this is the same for all of them. Other
 * fields are listed as plain facts, and the whole record is available as JSON.
 */
export function readableOf(value: Json): Readable {
  const record = isObject(value) ? value : {};
  const [bodyKey, body] = firstText(record, BODY);
  const [titleKey, title] = firstText(record, TITLE);
  return {
    title,
    number: NUMBER.map((key) => record[key]).find((each) => typeof each === "number") ?? null,
    author: authorOf(record),
    createdAt: firstDate(record, CREATED),
    updatedAt: firstDate(record, UPDATED),
    state: firstText(record, STATE)[1],
    labels: labelsOf(record.labels),
    body,
    url: webAddress(firstText(record, URL_KEYS)[1]),
    facts: factsOf(record, new Set([bodyKey, titleKey])),
  };
}

type JsonObject = { [key: string]: Json };

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function firstText(record: JsonObject, keys: readonly string[]): [key: string, text: string | null] {
  for (const key of keys) {
    const value = record[key];
    if (typeof value === "string" && value.trim() !== "") return [key, value];
  }
  return ["", null];
}

function firstDate(record: JsonObject, keys: readonly string[]): number | null {
  for (const key of keys) {
    const value = record[key];
    const at = typeof value === "string" ? Date.parse(value) : Number.NaN;
    if (Number.isFinite(at)) return at;
  }
  return null;
}

function authorOf(record: JsonObject): string | null {
  for (const key of AUTHOR) {
    const value = record[key];
    if (typeof value === "string" && value !== "") return value;
    if (isObject(value)) {
      const [, name] = firstText(value, AUTHOR_NAME);
      if (name !== null) return name;
    }
  }
  return null;
}

function labelsOf(value: Json | undefined): string[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((label) => {
    if (typeof label === "string") return [label];
    return isObject(label) && typeof label.name === "string" ? [label.name] : [];
  });
}

/** Only http and https URLs; other schemes may run a script. */
function webAddress(text: string | null): string | null {
  return text !== null && /^https?:\/\//i.test(text) && URL.canParse(text) ? text : null;
}

function factsOf(record: JsonObject, shown: ReadonlySet<string>): Readable["facts"] {
  const facts: Readable["facts"] = [];
  for (const [key, value] of Object.entries(record)) {
    if (shown.has(key) || (HIDDEN.has(key) && typeof value !== "boolean")) continue;
    const text = factText(value);
    if (text !== null && facts.length < MOST_FACTS)
      facts.push({ name: fieldWords(key), value: text.slice(0, LONGEST_FACT) });
  }
  return facts;
}

function factText(value: Json): string | null {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return String(value);
  if (typeof value === "string") return value.trim() === "" ? null : value;
  if (Array.isArray(value)) {
    const texts = value.map((each) =>
      isObject(each) ? firstText(each, [...TITLE, ...AUTHOR_NAME])[1] : factText(each),
    );
    const known = texts.filter((text) => text !== null);
    return known.length === 0 ? null : known.join(", ");
  }
  if (value === null) return null;
  return firstText(value, [...TITLE, ...AUTHOR_NAME])[1];
}
