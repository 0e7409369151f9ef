import { definePlatform } from "#connectors/contract/descriptor.ts";

/** The access that only tells who reads a book. */
export const READERS = "readers";

/** Facts about Almanac for the screens and the engine. */
export const descriptor = definePlatform({
  id: "almanac",
  label: "Almanac",
  summary: "Books with chapters and pictures",
  homeUrl: "https://almanac.example",
  itemKinds: [{ id: "book", one: "book", many: "books", isSub: false }],
  typeWords: { site: "site" },
  authMethods: [
    { id: "books", label: "Books", text: "Reads books, and adds to them when you restore." },
    { id: READERS, label: "Readers", text: "Also keeps who may read each book." },
  ],
  supports: {
    places: false,
    restoreToPlace: false,
    restores: {
      whole: ["new", "existing"],
      parts: { kinds: ["page", "register", "row"], into: ["existing", "new"] },
      needsAnswers: true,
    },
    incrementalSize: true,
    gitClone: false,
  },
  names: { kinds: ["page", "register", "row"] },
  limits: { restoredNameLength: 100, editableItems: 500 },
});
