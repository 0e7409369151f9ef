import type { EntryKinds } from "#connectors/contract/platform-connector.ts";

/** Display names of the entry kinds. */
export const entryKinds: EntryKinds = {
  board: { one: "board", many: "boards" },
  card: { one: "card", many: "cards" },
};
