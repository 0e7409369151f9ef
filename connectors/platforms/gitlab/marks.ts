import { z } from "zod";
import type { ItemMarks, ItemSubject } from "#connectors/contract/item-marks.ts";
import { accessMarks } from "#connectors/toolkit/access-marks.ts";

const detailsSchema = z.object({ visibility: z.enum(["private", "internal", "public"]) });

/** Returns the visibility of a project or snippet; private if it is unknown. */
export function visibilityOfItem({
  details,
}: Pick<ItemSubject, "details">): "private" | "internal" | "public" {
  const known = detailsSchema.safeParse(details);
  return known.success ? known.data.visibility : "private";
}

/** Returns the marks of an item in lists. */
export function marksOf(item: ItemSubject): ItemMarks {
  return accessMarks(visibilityOfItem(item));
}
