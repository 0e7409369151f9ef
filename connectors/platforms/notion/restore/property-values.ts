import type { Json } from "#core/kernel/canonical-json.ts";
import type { StoredPage } from "../records.ts";
import { type JsonObject, objectOf, objectsOf, picked, textOf } from "./json-parts.ts";
import { cutText, type TextReferences, writtenText } from "./rich-text.ts";

/** Most people, files, options or related pages of one value (developers.notion.com, "Request limits"). */
export const MOST_ITEMS = 100;
const LONGEST_NAME = 100;
const LONGEST_CONTACT = 200;

/** A value to write; files must be uploaded first. */
export type WrittenValue = { value: JsonObject; files: { path: string; name: string; at: number }[] };

/** Facts about the workspace that decide which values it takes. */
export type ValueContext = TextReferences & {
  /** Whether a person is in the workspace. */
  isThere: (userId: string) => boolean;
};

type Value = StoredPage["properties"][string];

/**
 * A value of a row as a request may hold it, without relations, which follow when every row is there; null = empty, or
 * one that Notion computes.
 */
export function writtenValue(stored: Value, context: ValueContext): WrittenValue | null {
  const { type } = stored;
  const value = stored[type];
  switch (type) {
    case "title":
    case "rich_text": {
      const text = cutText(writtenText(value, context), context.told);
      return text.length === 0 ? null : plain(type, text);
    }
    case "number":
    case "checkbox":
      return value === null || value === undefined || value === false ? null : plain(type, value);
    case "email":
    case "phone_number":
    case "url": {
      const text = textOf(value);
      if (text === null || text === "") return null;
      if (type !== "url" && text.length > LONGEST_CONTACT) context.told("valueRefused");
      else return plain(type, text);
      return null;
    }
    case "select":
    case "status": {
      const name = textOf(objectOf(value).name);
      return name === null ? null : plain(type, { name });
    }
    case "multi_select":
      return listed(type, value, context, (option) => picked(option, ["name"]));
    case "people":
      return people(value, context);
    case "date":
      return value === null || value === undefined
        ? null
        : plain(type, picked(objectOf(value), ["start", "end", "time_zone"]));
    case "place": {
      const members = ["lat", "lon", "name", "address", "aws_place_id", "google_place_id"];
      return value === null || value === undefined ? null : plain(type, picked(objectOf(value), members));
    }
    case "files":
      return fileValues(value, context);
    case "verification":
      if (objectOf(value).state === "verified") context.told("verification");
      return null;
    default:
      return null;
  }
}

function plain(type: string, value: Json): WrittenValue {
  return { value: { [type]: value }, files: [] };
}

function listed(
  type: string,
  value: Json | undefined,
  { told }: ValueContext,
  form: (member: JsonObject) => JsonObject,
): WrittenValue | null {
  const members = objectsOf(value);
  if (members.length > MOST_ITEMS) told("listCut");
  return members.length === 0 ? null : plain(type, members.slice(0, MOST_ITEMS).map(form));
}

function people(value: Json | undefined, context: ValueContext): WrittenValue | null {
  const members = objectsOf(value);
  // Groups are no users, and a request may name them only if the connection sees them.
  const there = members.filter(({ id, object }) => object !== "group" && context.isThere(textOf(id) ?? ""));
  if (there.length < members.length) context.told("peopleLeft");
  return listed("people", there, context, ({ id }) => ({ object: "user", id: id ?? "" }));
}

function fileValues(value: Json | undefined, context: ValueContext): WrittenValue | null {
  const members = objectsOf(value);
  if (members.length > MOST_ITEMS) context.told("listCut");
  const list: JsonObject[] = [];
  const files: WrittenValue["files"] = [];
  for (const member of members.slice(0, MOST_ITEMS)) {
    const name = (textOf(member.name) || "file").slice(0, LONGEST_NAME);
    if (member.type === "external") {
      list.push({ name, type: "external", external: picked(objectOf(member.external), ["url"]) });
      continue;
    }
    const path = textOf(objectOf(member.file).path);
    if (path === null) {
      context.told("fileMissing");
      continue;
    }
    files.push({ path, name, at: list.length });
    list.push({ name, type: "file_upload" });
  }
  return list.length === 0 ? null : { value: { files: list }, files };
}

/** Ids of the pages to which a stored relation leads. */
export function relatedIds(stored: Value): string[] {
  return objectsOf(stored.relation).flatMap(({ id }) => textOf(id) ?? []);
}

/** The title of a page or row, as it is stored. */
export function titleOf({ properties }: Pick<StoredPage, "properties">): Json[] {
  const title = Object.values(properties).find(({ type }) => type === "title")?.title;
  return Array.isArray(title) ? title : [];
}
