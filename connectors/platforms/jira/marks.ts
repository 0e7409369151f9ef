import { z } from "zod";
import { type ItemMarks, type ItemSubject, NO_MARKS } from "#connectors/contract/item-marks.ts";
import { accessMarks } from "#connectors/toolkit/access-marks.ts";

const detailsSchema = z.object({ isPrivate: z.boolean() });

/** Returns the marks of a board in lists: who may see it. */
export function marksOf({ details }: ItemSubject): ItemMarks {
  const known = detailsSchema.safeParse(details);
  return known.success ? accessMarks(known.data.isPrivate ? "private" : "public") : NO_MARKS;
}
