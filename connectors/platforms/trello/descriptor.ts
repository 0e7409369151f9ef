import { definePlatform } from "#connectors/contract/descriptor.ts";

/** Facts about Trello for the screens and the engine. */
export const descriptor = definePlatform({
  id: "trello",
  label: "Trello",
  summary: "Boards with lists, cards, checklists, comments, custom fields, files",
  homeUrl: "https://trello.com",
  itemKinds: [{ id: "board", one: "board", many: "boards", isSub: false }],
  typeWords: { User: "personal account" },
  // The boards of all workspaces are one list; only a restore needs a workspace.
  supports: {
    places: false,
    restoreToPlace: true,
    restores: { whole: ["new"], parts: { kinds: ["card", "list"], into: ["existing", "new"] } },
    incrementalSize: true,
    gitClone: false,
  },
  names: { kinds: ["card", "list", "attachment"] },
  limits: { restoredNameLength: 100, editableItems: 200 },
});
