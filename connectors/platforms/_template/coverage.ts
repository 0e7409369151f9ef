import type { Coverage } from "#connectors/contract/coverage.ts";

/** What becomes of the platform's fields. */
export const coverage: Coverage = [
  {
    name: "Boards",
    schema: "board",
    restored: "name description",
    kept: [
      { fields: "id", because: "The platform assigns it." },
      { fields: "isPrivate", because: "A restored board is always private." },
    ],
  },
  {
    name: "Cards",
    schema: "card",
    restored: "title text position",
    kept: [{ fields: "id", because: "The platform assigns it." }],
  },
];
