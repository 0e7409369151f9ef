import type { Json } from "#core/kernel/canonical-json.ts";
import { readIcon } from "../properties/icons.ts";
import { readMedia } from "../properties/media.ts";
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
  unfit,
} from "../properties/read-input.ts";
import { COLORS, readRichText } from "../properties/rich-text.ts";
import { reach, type Writer } from "../properties/writer.ts";
import { invalid } from "../refused.ts";
import type { Fields } from "../state.ts";
import { BLOCK_TYPES, LANGUAGES } from "./block-types.ts";

/** Members that are set when a request leaves them out. Source: contract, the blocks of answers. */
const DEFAULTS: Record<string, Fields> = {
  ...{ paragraph: { icon: null, color: "default" }, callout: { icon: null, color: "default" } },
  to_do: { checked: false, color: "default" },
  ...{ code: { caption: [] }, image: { caption: [] }, video: { caption: [] }, pdf: { caption: [] } },
  ...{ file: { caption: [] }, audio: { caption: [] }, bookmark: { caption: [] }, embed: { caption: [] } },
  table: { has_column_header: false, has_row_header: false },
  table_of_contents: { color: "default" },
  ...Object.fromEntries(
    ["heading_1", "heading_2", "heading_3", "heading_4"].map((type) => [
      type,
      { is_toggleable: false, color: "default" },
    ]),
  ),
  ...Object.fromEntries(
    ["bulleted_list_item", "numbered_list_item", "quote", "toggle"].map((type) => [
      type,
      { color: "default" },
    ]),
  ),
};

/** Reads the member of a block that is named like its type, as it is stored. */
export function readPayload(writer: Writer, type: string, input: Input, place: string): Fields {
  for (const member of BLOCK_TYPES[type]!.members) {
    const name = member.replace("!", "");
    if (member.endsWith("!") && input[name] === undefined) throw unfit(`${place}.${name}`, "defined");
  }
  const { children: _, ...own } = input;
  const payload = { ...DEFAULTS[type], ...readMembers(writer, type, own, place) };
  return type === "file" && payload.name === undefined
    ? { ...payload, name: nameOf(writer, payload) }
    : payload;
}

/** The name of a file whose request has no name: that of the upload, or the end of its address. */
function nameOf({ world }: Writer, { file, external }: Fields): string {
  const kept = world.state.files[String((file as Fields | undefined)?.file_id)];
  const address = (external as Fields | undefined)?.url;
  return kept?.name ?? decodeURIComponent(new URL(String(address)).pathname.split("/").at(-1) ?? "");
}

/** Reads the members that a request has, without asking for others. */
export function readMembers(writer: Writer, type: string, input: Input, place: string): Fields {
  const members = BLOCK_TYPES[type]!.members.map((member) => member.replace("!", ""));
  readObject(input, place, members);
  if (type === "link_to_page") return readLinkToPage(writer, input, place);
  const isMedia = members.includes("file_upload");
  const file =
    isMedia && (input.external ?? input.file_upload) !== undefined
      ? readMedia(writer, pickFile(input), place)
      : {};
  const rest = members.filter((name) => !(isMedia && ["type", "external", "file_upload"].includes(name)));
  const read = rest
    .filter((name) => input[name] !== undefined)
    .map((name): [string, Json] => [name, readMember(writer, name, input[name], `${place}.${name}`)]);
  return { ...Object.fromEntries(read), ...file };
}

function pickFile({ type, external, file_upload }: Input): Input {
  return { ...(type === undefined ? {} : { type }), external, file_upload };
}

function readMember(writer: Writer, name: string, value: unknown, place: string): Json {
  switch (name) {
    case "rich_text":
    case "caption":
      return readRichText(writer, value, place);
    case "color":
      return readOneOf(value, place, COLORS);
    case "icon":
      return readIcon(writer, value, place);
    case "language":
      return readOneOf(value, place, LANGUAGES);
    case "expression":
      return readText(value, place, 1_000);
    case "url":
      return readUrl(value, place);
    case "name":
      return readText(value, place, 900);
    case "cells":
      return readList(value, place, 100).map((cell, index) =>
        readRichText(writer, cell, `${place}[${index}]`),
      );
    case "table_width":
      if (!Number.isInteger(value) || (value as number) < 1 || (value as number) > 100)
        throw unfit(place, "a whole number from 1 to 100", value);
      return value as number;
    case "width_ratio":
      if (typeof value !== "number" || value <= 0 || value > 1)
        throw unfit(place, "a ratio from 0 to 1", value);
      return value;
    case "synced_from":
      return value === null ? null : readOriginal(writer, value, place);
    default:
      return readBoolean(value, place);
  }
}

/** The original of a synced copy: a synced block that is no copy itself. */
function readOriginal(writer: Writer, value: unknown, place: string): Fields {
  const input = readObject(value, place, ["type", "block_id"]);
  const id = readUuid(input.block_id, `${place}.block_id`);
  const { thing } = reach(writer, id, ["block"], "block");
  if (thing.type !== "synced_block" || thing.payload.synced_from !== null)
    throw invalid(`${place}: the block ${id} is no original of a synced block.`);
  return { type: "block_id", block_id: id };
}

function readLinkToPage(writer: Writer, input: Input, place: string): Fields {
  const type = typeOf(input, place, ["page_id", "database_id", "comment_id"]);
  const id = readUuid(input[type], `${place}.${type}`);
  if (type === "comment_id") {
    const comment = writer.world.state.comments[id];
    if (comment?.workspaceId !== writer.grant.workspaceId) throw unfit(`${place}.${type}`, "a comment", id);
  } else
    reach(writer, id, [type === "page_id" ? "page" : "database"], type === "page_id" ? "page" : "database");
  return { type, [type]: id };
}
