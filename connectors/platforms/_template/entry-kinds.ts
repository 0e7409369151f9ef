import type { EntryKinds } from "#connectors/contract/platform-connector.ts";

/** What the platform's things are called when people look into a version. */
export const entryKinds: EntryKinds = {
  board: { one: "board", many: "boards" },
  card: { one: "card", many: "cards" },
};
