import { definePlatform } from "#connectors/contract/descriptor.ts";

/** Facts about Trello for the screens and the engine. */
export const descriptor = definePlatform({
  id: "trello",
  label: "Trello",
  homeUrl: "https://trello.com",
  itemKinds: [{ id: "board", one: "board", many: "boards", isSub: false }],
  typeWords: { User: "personal account" },
  // Boards of all workspaces are listed at once; a workspace is chosen only for a restore.
  supports: {
    places: false,
    restoreToPlace: true,
    restores: { whole: ["new"], parts: { kinds: ["card", "list"], into: ["existing", "new"] } },
    incrementalSize: true,
    gitClone: false,
  },
  limits: { restoredNameLength: 100, editableItems: 200 },
});
