import type { Json } from "#core/kernel/canonical-json.ts";
import { type JsonObject, objectOf, picked, textOf } from "./json-parts.ts";
import type { TextReferences } from "./rich-text.ts";

/** An icon or cover to write: as a request holds it, or the path of the file that must be uploaded first. */
export type Picture = { value: JsonObject } | { path: string } | null;

/** The icon or cover of a page, database or block as a request may hold it; null = none, or one that is lost. */
export function pictureOf(stored: Json | undefined, { hasEmoji, told }: TextReferences): Picture {
  const picture = objectOf(stored);
  switch (picture.type) {
    case "emoji":
      return { value: picked(picture, ["type", "emoji"]) };
    case "external":
      return { value: { type: "external", external: picked(objectOf(picture.external), ["url"]) } };
    case "icon":
      return { value: { type: "icon", icon: picked(objectOf(picture.icon), ["name", "color"]) } };
    case "custom_emoji": {
      const id = textOf(objectOf(picture.custom_emoji).id) ?? "";
      if (hasEmoji(id)) return { value: { type: "custom_emoji", custom_emoji: { id } } };
      told("emoji");
      return null;
    }
    case "file": {
      const path = textOf(objectOf(picture.file).path);
      if (path !== null) return { path };
      told("fileMissing");
      return null;
    }
    default:
      return null;
  }
}
