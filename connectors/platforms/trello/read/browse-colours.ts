import type { BoardCard } from "#connectors/contract/board-view.ts";
import type { Hue, Tag } from "#connectors/contract/field.ts";
import type { TrelloCard } from "../payloads.ts";

/** Trello's colours; each also has `_light` and `_dark`. */
const HUES: Readonly<Record<string, Hue>> = {
  green: "green",
  yellow: "yellow",
  orange: "orange",
  red: "red",
  purple: "purple",
  blue: "blue",
  sky: "sky",
  lime: "lime",
  pink: "pink",
  black: "gray",
};

/** A label for the board view. */
export function tagOf(name: string, color: string | null): Tag {
  return { name, ...shadeOf(color) };
}

/** A card's cover. `picture` is its file in the version; pictures that only Trello has are left out. */
export function coverOf({ cover }: TrelloCard, picture: string | null): BoardCard["cover"] {
  if (picture !== null) return { hue: null, shade: "normal", picture };
  if (!cover?.color) return null;
  return { ...shadeOf(cover.color), picture: null };
}

function shadeOf(color: string | null): Pick<Tag, "hue" | "shade"> {
  const [base = "", shade] = (color ?? "").split("_");
  return {
    hue: Object.hasOwn(HUES, base) ? (HUES[base] ?? null) : null,
    shade: shade === "light" || shade === "dark" ? shade : "normal",
  };
}
