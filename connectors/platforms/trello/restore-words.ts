import type { RestoreWords } from "#connectors/contract/platform-ui.ts";

/** Texts of the restore dialog. */
export const restoreWords = {
  comesBack: {
    board: [
      "The board with its lists and cards in their order, archived ones too.",
      "Labels, checklists, dates, places, covers, stickers and the values of custom fields.",
      "Every comment with a line that names who wrote it and when.",
      "Attachments, each compared byte by byte after it was uploaded.",
      "The board is a new one in the workspace you choose; the original is never touched.",
    ],
  },
  cannot: {
    board: [
      "Authors and dates: Trello gives everything restored to the connected account.",
      "Members, votes of others and watchers: Trello lets nobody set them for other people.",
      "Automation rules and the data of Power-Ups: Trello's API does not take them back.",
      "Custom fields come back as text where the workspace's plan does not have them.",
    ],
  },
  addsPart: {
    card: "Into the list of the same name; if there is none, it is made.",
    column: "As a list at the end, beside any other of the same name.",
  },
} satisfies RestoreWords;
