import type { Json } from "#core/kernel/canonical-json.ts";

/** The part of an item from which marks and facts are derived. */
export type ItemSubject = { kind: string; details: Json };

/** What lists show of an item besides name and description. */
export type ItemMarks = {
  /** Short labels behind the name, each with its meaning, e.g. "PVT" for "Private". */
  tags: readonly ItemTag[];
  /** True = people other than those invited one by one can see the item. */
  isOpen: boolean;
  /** The item's type as the platform's API names it, if screens depend on it. */
  typeKey?: string;
  /** Why the item cannot be protected, e.g. because of its type. Absent = it can. */
  blocked?: string;
};

export type ItemTag = { label: string; meaning: string };

/** The marks of an item when the platform states nothing. */
export const NO_MARKS: ItemMarks = { tags: [], isOpen: false };
