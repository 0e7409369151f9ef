import { type ItemMarks, type ItemSubject, NO_MARKS } from "#connectors/contract/item-marks.ts";

/** Returns the marks of a workspace in lists. Notion's API does not say who else may see it. */
export function marksOf(_workspace: ItemSubject): ItemMarks {
  return NO_MARKS;
}
