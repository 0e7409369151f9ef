import { definePlatform } from "#connectors/contract/descriptor.ts";

/** Facts about GitLab that every screen and the engine may know. */
export const descriptor = definePlatform({
  id: "gitlab",
  label: "GitLab",
  homeUrl: "https://gitlab.com",
  itemKinds: [
    { id: "project", one: "project", many: "projects", isSub: false },
    { id: "snippet", one: "snippet", many: "snippets", isSub: true },
  ],
  supports: { places: false, restoreToPlace: true, incrementalSize: false, gitClone: true },
  limits: {
    restoredNameLength: 100,
    editableItems: 1_000,
    restoredNameRule: {
      // Single separators inside are allowed, also where the sentence forbids them: the wider of two readings.
      pattern: "[\\p{L}\\p{N}]+(?:[ .+_-][\\p{L}\\p{N}]+)*",
      message:
        "Name must start with a letter or number. Names cannot contain spaces, dots, dashes, or special characters.",
    },
  },
});
