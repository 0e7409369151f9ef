import type { EntryKinds } from "#connectors/contract/platform-connector.ts";

/** The names of Trello's entry kinds on screens. */
export const entryKinds: EntryKinds = {
  board: { one: "board", many: "boards" },
  list: { one: "list", many: "lists" },
  card: { one: "card", many: "cards" },
  comment: { one: "comment", many: "comments" },
  attachment: { one: "attachment", many: "attachments" },
  label: { one: "label", many: "labels" },
  "custom-field": { one: "custom field", many: "custom fields" },
  member: { one: "member", many: "members" },
  setting: { one: "setting", many: "settings" },
  checklist: { one: "checklist", many: "checklists" },
  link: { one: "link", many: "links" },
  sticker: { one: "sticker", many: "stickers" },
  vote: { one: "vote", many: "votes" },
  action: { one: "history entry", many: "history entries" },
};
