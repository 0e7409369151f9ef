/** Paths of a board's records. Trello's ids increase over time and have a fixed length, so paths sort by age. */
export const recordPaths = {
  board: "board.json",
  lists: "lists/",
  labels: "labels/",
  customFields: "custom-fields/",
  members: "members/",
  memberships: "settings/memberships.json",
  pluginData: "settings/plugin-data.json",
  cards: "cards/",
  comments: "comments/",
  actions: "actions/",
  /** A card with its checklists, field values, stickers and attachment metadata. */
  card: (cardId: string) => `${recordPaths.cards}${cardId}/card.json`,
  /** The bytes of an uploaded file. */
  attachment: (cardId: string, attachmentId: string) =>
    `${recordPaths.cards}${cardId}/attachments/${attachmentId}`,
  /** Folder of a card's comments. */
  commentsOf: (cardId: string) => `${recordPaths.comments}${cardId}/`,
} as const;
