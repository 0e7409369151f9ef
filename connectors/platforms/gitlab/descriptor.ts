import { definePlatform } from "#connectors/contract/descriptor.ts";

/** Facts about GitLab for the screens and the engine. */
export const descriptor = definePlatform({
  id: "gitlab",
  label: "GitLab",
  summary: "Code with every branch, issues, merge requests, boards, releases, wikis, snippets",
  homeUrl: "https://gitlab.com",
  itemKinds: [
    { id: "project", one: "project", many: "projects", isSub: false },
    { id: "snippet", one: "snippet", many: "snippets", isSub: true },
  ],
  typeWords: { User: "personal account" },
  supports: {
    places: false,
    restoreToPlace: true,
    restores: {
      whole: ["new"],
      parts: { kinds: ["issue", "merge-request"], sets: ["label"], files: ["git"], into: ["existing"] },
    },
    incrementalSize: false,
    gitClone: true,
  },
  names: { kinds: ["issue", "merge-request", "release"], files: ["git", "wiki"] },
  limits: {
    restoredNameLength: 100,
    editableItems: 1_000,
    restoredNameRule: {
      // The message forbids separators; the pattern takes the wider reading and allows single ones inside a name.
      pattern: "[\\p{L}\\p{N}]+(?:[ .+_-][\\p{L}\\p{N}]+)*",
      message:
        "Name must start with a letter or number. Names cannot contain spaces, dots, dashes, or special characters.",
    },
  },
});
