import { definePlatform } from "#connectors/contract/descriptor.ts";

/** Facts about Notion for the screens and the engine. */
export const descriptor = definePlatform({
  id: "notion",
  label: "Notion",
  summary: "Workspaces with pages, databases, views, comments, files",
  homeUrl: "https://www.notion.com",
  itemKinds: [{ id: "workspace", one: "workspace", many: "workspaces", restoredAs: "page", isSub: false }],
  typeWords: { user: "person", workspace: "workspace" },
  accountNames: "titles",
  accountWord: "Workspace owner",
  // An account is a person in one workspace. A restore makes a page in that workspace.
  supports: {
    places: false,
    restoreToPlace: false,
    restores: {
      whole: ["new"],
      parts: { kinds: ["page", "row", "database"], into: ["existing", "new"] },
    },
    incrementalSize: true,
    gitClone: false,
    itemPerConsent: true,
    scope: true,
    pageMarkdown: true,
  },
  names: { kinds: ["page", "data-source", "row", "template", "file"] },
  limits: { restoredNameLength: 100, editableItems: 200 },
});
