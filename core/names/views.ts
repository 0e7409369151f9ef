/** A name that was found. */
export type FoundName = {
  /** What one of its kind is called, e.g. "card". */
  one: string;
  title: string;
  /** The folder of a file; null = it is at the root, or no file. */
  folder: string | null;
  /** Where it is in the version, as `partPathOf` writes it. */
  path: string;
};

/** The names found in the newest checked version of an item. */
export type FoundInItem = {
  id: string;
  platform: string;
  name: string;
  fullName: string;
  snapshotId: string;
  names: FoundName[];
  /** More names of the item match. */
  hasMore: boolean;
};

/** An answer of a search over names, and what it did not look at. */
export type NameSearch = {
  /** Items in which something was found, the newest version first. */
  items: FoundInItem[];
  /** How many items were searched, whether or not something was found. */
  searched: number;
  /** Where the next search goes on; null = every item was searched. */
  next: string | null;
  /** Searched items with more names than an index holds, and how many of them were searched. */
  cut: { name: string; count: number }[];
  /** Items with versions that have no index yet: their next check makes it. Null after the first search. */
  unindexed: number | null;
};
