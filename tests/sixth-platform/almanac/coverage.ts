import type { Coverage } from "#connectors/contract/coverage.ts";

const ASSIGNED = "Almanac assigns them to what a restore makes.";

/** What becomes of Almanac's fields. */
export const coverage: Coverage = [
  {
    name: "Books",
    schema: "book",
    restored: "name description contents",
    kept: [
      { fields: "id", because: ASSIGNED },
      { fields: "sharing", because: "A restored book is always private." },
    ],
    left: [{ fields: "counts sizeBytes", because: "They follow from the rest." }],
  },
  {
    name: "Pages",
    schema: "page",
    restored: "parentId title icon properties isArchived blocks files",
    kept: [{ fields: "id author createdAt editedAt", because: ASSIGNED }],
  },
];
