import type { RestoreWords } from "#connectors/contract/platform-ui.ts";

/** Texts of the restore dialog. */
export const restoreWords = {
  comesBack: {
    board: [
      "The board with its lists and cards in their order, archived ones too.",
      "Labels, checklists, dates, places, covers, stickers and the values of custom fields.",
      "Every comment with a line that names its author and date.",
      "Attachments, each compared byte by byte after it was uploaded.",
      "The board is a new one in the workspace you choose; the original is never changed.",
    ],
  },
  cannot: {
    board: [
      "Authors and dates: Trello gives everything restored to the connected account.",
      "Members, votes of others and watchers: Trello does not allow setting them for other people.",
      "Automation rules and the data of Power-Ups: Trello's API cannot write them.",
      "Custom fields are restored as text if the workspace's plan does not have them.",
    ],
  },
  addsPart: {
    card: "Into the list of the same name; if there is none, it is made.",
    list: "As a list at the end, beside any other of the same name.",
  },
} satisfies RestoreWords;
