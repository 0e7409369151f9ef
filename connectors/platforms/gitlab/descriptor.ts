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
  entryKinds: {
    project: { one: "project", many: "projects" },
    snippet: { one: "snippet", many: "snippets" },
    issue: { one: "issue", many: "issues" },
    "merge-request": { one: "merge request", many: "merge requests" },
    note: { one: "comment", many: "comments" },
    release: { one: "release", many: "releases" },
    label: { one: "label", many: "labels" },
    milestone: { one: "milestone", many: "milestones" },
    board: { one: "board", many: "boards" },
    setting: { one: "setting", many: "settings" },
    "lfs-object": { one: "large file", many: "large files" },
  },
  supports: { places: false, restoreToPlace: false, incrementalSize: false, gitClone: true },
  limits: {
    restoredNameLength: 100,
    restoredNameRule: {
      // Single separators inside are allowed, also where the sentence forbids them: the wider of two readings.
      pattern: "[\\p{L}\\p{N}]+(?:[ .+_-][\\p{L}\\p{N}]+)*",
      message:
        "Name must start with a letter or number. Names cannot contain spaces, dots, dashes, or special characters.",
    },
  },
});
