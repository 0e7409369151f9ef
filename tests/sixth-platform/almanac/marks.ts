import { z } from "zod";
import type { ItemMarks, ItemSubject } from "#connectors/contract/item-marks.ts";
import { accessMarks } from "#connectors/toolkit/access-marks.ts";

const detailsSchema = z.object({ sharing: z.enum(["private", "site"]), pageCount: z.number() });

/** Reads the details of a book; those of an unknown form tell the least. */
export function readDetails({ details }: Pick<ItemSubject, "details">): z.output<typeof detailsSchema> {
  return detailsSchema.safeParse(details).data ?? { sharing: "private", pageCount: 0 };
}

/** Returns the marks of a book in lists: who may see it. */
export function marksOf(book: ItemSubject): ItemMarks {
  return accessMarks(readDetails(book).sharing === "site" ? "workspace" : "private");
}
