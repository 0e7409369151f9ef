import { z } from "zod";
import type { ItemMarks, ItemSubject } from "#connectors/contract/item-marks.ts";
import { type Access, accessMarks } from "#connectors/toolkit/access-marks.ts";

const detailsSchema = z.object({ permissionLevel: z.string() });

/** Returns who may see a board; private if it is unknown. */
export function accessOf({ details }: Pick<ItemSubject, "details">): Exclude<Access, "internal"> {
  const known = detailsSchema.safeParse(details);
  switch (known.data?.permissionLevel) {
    case "public":
      return "public";
    case "org":
    case "enterprise":
      return "workspace";
    default:
      return "private";
  }
}

/** Returns the marks of a board in lists. */
export function marksOf(board: ItemSubject): ItemMarks {
  return accessMarks(accessOf(board));
}
