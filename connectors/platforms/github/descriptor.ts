import { definePlatform } from "#connectors/contract/descriptor.ts";

/** Facts about GitHub for the screens and the engine. */
export const descriptor = definePlatform({
  id: "github",
  label: "GitHub",
  summary: "Code with every branch, issues, pull requests, discussions, releases, wikis, gists",
  homeUrl: "https://github.com",
  itemKinds: [
    { id: "repository", one: "repository", many: "repositories", isSub: false },
    { id: "gist", one: "gist", many: "gists", isSub: true, isUnnamed: true },
  ],
  typeWords: { User: "personal account", Organization: "organisation" },
  supports: {
    places: true,
    restoreToPlace: true,
    restores: {
      whole: ["new"],
      parts: {
        kinds: ["issue", "pull-request", "discussion"],
        sets: ["label"],
        files: ["git"],
        into: ["existing"],
      },
    },
    incrementalSize: false,
    gitClone: true,
  },
  names: {
    kinds: ["issue", "pull-request", "discussion", "release", "release-asset", "attachment"],
    files: ["git", "wiki"],
  },
  // The quota of REST binds: the one query of a backup draws on that of GraphQL, which is as large and counts by itself.
  rounds: {
    requests: 5_000,
    perMs: 3_600_000,
    kinds: {
      repository: { changes: 1, whole: 16, wholeDays: 7 },
      gist: { changes: 2, whole: 2, wholeDays: 1 },
    },
  },
  limits: {
    restoredNameLength: 100,
    // GitHub would turn other characters into dashes and cut these endings without a word.
    restoredNameRule: {
      pattern: "(?!\\.+$)(?!.*\\.(?:git|wiki)$)[A-Za-z0-9._-]+",
      message:
        "Use letters without accents, numbers, dots, dashes and underscores only. The name cannot end with .git or .wiki.",
    },
    editableItems: 1_000,
  },
});
