import type { Json } from "#core/kernel/canonical-json.ts";
import { notFound } from "../api-context.ts";
import type { Fields } from "../state.ts";
import { readMedia } from "./media.ts";
import { readObject, readOneOf, readText, readUuid, typeOf, unfit } from "./read-input.ts";
import type { Writer } from "./writer.ts";

const ICONS = ["file_upload", "emoji", "external", "custom_emoji", "icon"] as const;

/** Colours of Notion's own icons. Source: contract, `NoticonColor`. */
const ICON_COLORS = [
  ...["gray", "lightgray", "brown", "yellow", "orange", "green", "blue", "purple", "pink", "red"],
];

/** Reads an icon of a request and gives it as it is stored. */
export function readIcon(writer: Writer, value: unknown, place: string): Json {
  if (value === null) return null;
  const input = readObject(value, place, ["type", ...ICONS]);
  const type = typeOf(input, place, ICONS);
  if (type === "file_upload" || type === "external") return readMedia(writer, input, place);
  if (type === "emoji") {
    const emoji = readText(input.emoji, `${place}.emoji`, 20);
    if (!/\p{Extended_Pictographic}|\p{Regional_Indicator}|[0-9#*]\uFE0F?\u20E3/u.test(emoji))
      throw unfit(`${place}.emoji`, "an emoji", emoji);
    return { type, emoji };
  }
  if (type === "custom_emoji")
    return { type, custom_emoji: readCustomEmoji(writer, input.custom_emoji, place) };
  const icon = readObject(input.icon, `${place}.icon`, ["name", "color"]);
  const name = readText(icon.name, `${place}.icon.name`, 100);
  const color = icon.color === undefined ? "gray" : readOneOf(icon.color, `${place}.icon.color`, ICON_COLORS);
  return { type, icon: { name, color } };
}

/** Reads a cover of a request and gives it as it is stored. */
export function readCover(writer: Writer, value: unknown, place: string): Json {
  if (value === null) return null;
  return readMedia(writer, readObject(value, place, ["type", "file_upload", "external"]), place);
}

/** A custom emoji of the workspace, as it is stored. Its address depends on where the simulator listens. */
export function readCustomEmoji({ world, grant }: Writer, value: unknown, place: string): Fields {
  const input = readObject(value, `${place}.custom_emoji`, ["id", "name", "url"]);
  const id = readUuid(input.id, `${place}.custom_emoji.id`);
  const emoji = world.state.emojis[id];
  if (emoji?.workspaceId !== grant.workspaceId) throw notFound(grant, "custom emoji", id);
  return { emoji_id: id, name: emoji.name };
}
