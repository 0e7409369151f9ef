import { definePlatform } from "#connectors/contract/descriptor.ts";

/** Facts about Jira for the screens and the engine. */
export const descriptor = definePlatform({
  id: "jira",
  label: "Jira",
  summary: "Projects with issues, comments, work logs, files, boards, sprints, fields",
  homeUrl: "https://home.atlassian.com",
  itemKinds: [{ id: "project", one: "project", many: "projects", isUnnamed: true, isSub: false }],
  typeWords: { site: "site" },
  accountNames: "titles",
  authMethods: [
    {
      id: "oauth",
      label: "Sign-in at Atlassian",
      text: "Backups, attachments and restores, as the person who signs in.",
    },
    {
      id: "token",
      label: "API token",
      text: "Your own API token. Its calls do not draw on the quota that all customers share.",
      isGiven: true,
    },
    {
      id: "forge",
      label: "App inside Jira",
      text: "Backups and restores as the app that is installed in Jira. Attachments need a sign-in on the main site.",
      isGiven: true,
      isBrought: true,
    },
  ],
  // The projects of a site are one list. A restore goes into a project that exists (spec P-108), or makes one.
  supports: {
    places: false,
    restoreToPlace: false,
    restores: {
      whole: ["existing", "new"],
      parts: { kinds: ["issue"], into: ["existing"] },
      needsAnswers: true,
    },
    incrementalSize: true,
    gitClone: false,
  },
  names: { kinds: ["issue", "version", "component", "attachment"] },
  // Names of projects end at 80 characters (Jira's documentation, "Create project"). P-451: 2,000 users.
  limits: { restoredNameLength: 80, editableItems: 2_000 },
});
