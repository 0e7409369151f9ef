import type { Json } from "#core/kernel/canonical-json.ts";
import { invalid } from "../refused.ts";
import type { DataSource, Fields, Page } from "../state.ts";
import { readDate } from "./dates.ts";
import { attach, readMedia } from "./media.ts";
import { chosen, type Option, readChoice } from "./options.ts";
import {
  readBoolean,
  readList,
  readObject,
  readText,
  readUrl,
  readUuid,
  typeOf,
  unfit,
} from "./read-input.ts";
import { readRelated } from "./related.ts";
import { readRichText } from "./rich-text.ts";
import { COMPUTED, findProperty, type Property } from "./schema.ts";
import { userOf } from "./users.ts";
import type { Writer } from "./writer.ts";

/** Most people and files of one write. Source: [limits]; that of files is taken to be the same. */
const ITEMS = 100;

/** Values of a request, and what else they change once the request is known to fit. */
export type WrittenValues = { values: Page["values"]; after: ((page: Page) => void)[] };

/** Where values are written: the data source of a row or template, null for other pages. */
type Where = { source: DataSource | null; page: Page | null };

/** Reads property values of a request. Properties are named by their name or id; computed and unknown ones are refused. */
export function readValues(writer: Writer, value: unknown, place: string, where: Where): WrittenValues {
  const written: WrittenValues = { values: {}, after: [] };
  for (const [key, input] of Object.entries(readObject(value, place))) {
    const here = `${place}.${key}`;
    const property = where.source === null ? titleOnly(key) : findProperty(where.source, key);
    if (property === null) throw invalid(`${key} is not a property that exists.`);
    const { type, id } = property;
    // A title may stand without an object around it. Evidence: the recorded creations of pages.
    const wrapped = type === "title" && Array.isArray(input) ? { title: input } : input;
    const own = readObject(wrapped, here, ["id", "type", "name", type]);
    if (COMPUTED.has(type)) throw invalid(`${key} is computed and cannot be written.`);
    typeOf(own, here, [type]);
    written.values[id] = {
      type,
      [type]: readValue(writer, own[type], `${here}.${type}`, { property, written, ...where }),
    };
  }
  return written;
}

function titleOnly(key: string): Property | null {
  return key === "title" ? { id: "title", name: "title", type: "title" } : null;
}

type Context = Where & { property: Property; written: WrittenValues };

function readValue(writer: Writer, value: unknown, place: string, context: Context): Json {
  const { property } = context;
  switch (property.type) {
    case "title":
    case "rich_text":
      return readRichText(writer, value, place);
    case "checkbox":
      return readBoolean(value, place);
    case "people":
      return readList(value, place, ITEMS).map((each, index) =>
        readPerson(writer, each, `${place}[${index}]`),
      );
    case "files":
      return readList(value, place, ITEMS).map((each, index) =>
        readFile(writer, each, `${place}[${index}]`, context),
      );
    case "multi_select":
      return readList(value, place, ITEMS).map((each, index) =>
        readOption(writer, each, `${place}[${index}]`, context),
      );
    case "relation":
      return readRelated(writer, value, place, context);
    default:
      return value === null ? null : readSingle(writer, value, place, context);
  }
}

/** Values that may also be null. */
function readSingle(writer: Writer, value: unknown, place: string, context: Context): Json {
  switch (context.property.type) {
    case "number":
      if (typeof value !== "number" || !Number.isFinite(value)) throw unfit(place, "a number", value);
      return value;
    case "url":
      return readUrl(value, place);
    case "email":
    case "phone_number":
      // Longest: 200 characters each [limits].
      return readText(value, place, 200);
    case "date":
      return readDate(value, place);
    case "select":
    case "status":
      return readOption(writer, value, place, context);
    case "place":
      return readPlace(value, place);
    default:
      // Verifications belong to pages of wikis, which do not exist here.
      throw invalid(`${place}: values of this type cannot be written here.`);
  }
}

function readPerson(writer: Writer, value: unknown, place: string): Json {
  const input = readObject(value, place);
  const { id } = userOf(writer, readUuid(input.id, `${place}.id`));
  return { object: "user", id };
}

/** A chosen option. A select gets an option that it lacks, with the write. */
function readOption(writer: Writer, value: unknown, place: string, { property, written }: Context): Json {
  const config = property[property.type] as { options: Option[] };
  const mayAdd = property.type !== "status";
  const option = readChoice(writer, value, place, { present: config.options, mayAdd });
  written.after.push(() => {
    if (!config.options.some(({ name }) => name === option.name)) config.options.push(option);
  });
  return chosen(option);
}

/** A file by its upload or address. A file that Notion keeps is named by its address and must be in the value already. */
function readFile(writer: Writer, value: unknown, place: string, { page, property }: Context): Json {
  const input = readObject(value, place, ["type", "name", "file", "external", "file_upload"]);
  const type = typeOf(input, place, ["file", "external", "file_upload"]);
  if (type === "file_upload") {
    const upload = readObject(input.file_upload, `${place}.file_upload`, ["id"]);
    const { fileId, filename } = attach(writer, readUuid(upload.id, `${place}.file_upload.id`));
    const name = input.name === undefined ? (filename ?? "file") : readText(input.name, `${place}.name`, 100);
    return { name, type: "file", file: { file_id: fileId! } };
  }
  const name = readText(input.name, `${place}.name`, 100);
  if (type === "external") return { name, ...readMedia(writer, { external: input.external }, place) };
  const kept = readObject(input.file, `${place}.file`, ["url", "expiry_time"]);
  const path = new URL(readUrl(kept.url, `${place}.file.url`)).pathname;
  const present = (page?.values[property.id]?.files ?? []) as Fields[];
  const known = present.find(({ file }) => path.includes(String((file as Fields | undefined)?.file_id)));
  if (!known) throw invalid(`${place}.file.url is not the address of a file of this property.`);
  return { ...known, name };
}

function readPlace(value: unknown, place: string): Json {
  const texts = ["name", "address", "aws_place_id", "google_place_id"];
  const input = readObject(value, place, ["lat", "lon", ...texts]);
  const coordinate = (member: "lat" | "lon", most: number): number => {
    const number = input[member];
    if (typeof number !== "number" || Math.abs(number) > most)
      throw unfit(`${place}.${member}`, "a coordinate", number);
    return number;
  };
  const named = texts.map((member) => [
    member,
    input[member] === undefined || input[member] === null
      ? null
      : readText(input[member], `${place}.${member}`, 2_000),
  ]);
  return { lat: coordinate("lat", 90), lon: coordinate("lon", 180), ...Object.fromEntries(named) };
}
