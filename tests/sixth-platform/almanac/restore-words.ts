import type { RestoreWords } from "#connectors/contract/platform-ui.ts";

/** Text shown before a restore. */
export const restoreWords = {
  comesBack: {
    book: [
      "Every page at its place, with its icon, properties, text and files.",
      "Registers with their columns, layouts and rows.",
      "Comments, each with its author and time in words.",
    ],
  },
  cannot: {
    book: [
      "Authors and dates: Almanac gives everything that is restored to the connected account.",
      "Links between rows: restored rows have new ids.",
      "Readers: Almanac lets only people invite people.",
      "Reactions: Almanac takes them from their authors only.",
    ],
  },
  addsPart: {
    page: "At the end of the place that you choose, with everything below it.",
    register: "At the end of the place that you choose, with its rows.",
    row: "In the register whose columns you match, or in a new one.",
  },
} satisfies RestoreWords;
