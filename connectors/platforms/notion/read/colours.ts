import type { Hue, Tag } from "#connectors/contract/field.ts";
import type { Tint } from "#connectors/contract/page-block.ts";

/** Notion's colours (`ApiColor` of `@notionhq/client`). Brown is a dark orange. */
const HUES: Readonly<Record<string, Hue>> = {
  gray: "gray",
  brown: "orange",
  orange: "orange",
  yellow: "yellow",
  green: "green",
  blue: "blue",
  purple: "purple",
  pink: "pink",
  red: "red",
};

/** An option of a select, status or multi-select property. */
export function tagOf(name: string, colour: string): Tag {
  const hue = Object.hasOwn(HUES, colour) ? HUES[colour]! : null;
  return { name, hue, shade: colour === "brown" ? "dark" : "normal" };
}

/** The colour of a block, as a part of it; empty = the ordinary one. */
export function tintOf(colour: string): { tint?: Tint } {
  const name = colour.replace("_background", "");
  if (!Object.hasOwn(HUES, name)) return {};
  return { tint: { hue: HUES[name]!, on: name === colour ? "letters" : "ground" } };
}
