import { definePlatform } from "#connectors/contract/descriptor.ts";

/** Facts about the platform for the screens and the engine. */
export const descriptor = definePlatform({
  id: "_template",
  label: "Example",
  summary: "Boards with lists and cards",
  homeUrl: "https://boards.example",
  itemKinds: [{ id: "board", one: "board", many: "boards", isSub: false }],
  supports: {
    places: false,
    restoreToPlace: false,
    restores: {
      whole: ["new", "existing"],
      parts: { kinds: ["card"], into: ["existing", "new"] },
    },
    incrementalSize: true,
    gitClone: false,
  },
  names: { kinds: ["card"] },
  limits: { restoredNameLength: 100, editableItems: 1_000 },
});
