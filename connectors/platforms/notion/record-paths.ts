/**
 * Paths of a workspace's records. A page and a row have a folder of their own, their home. Rows stand below their data
 * source, so that a table is read without its neighbours. Ids are Notion's UUIDs with dashes, in lower case.
 */
export const recordPaths = {
  workspace: "workspace.json",
  /** The pages and databases whose parent is not in the version, in the order in which the tree shows them. */
  roots: "roots.json",
  state: "state.json",
  pages: "pages/",
  databases: "databases/",
  sources: "sources/",
  users: "users/",
  emojis: "emojis/",
  user: (userId: string) => `${recordPaths.users}${userId}.json`,
  emoji: (emojiId: string) => `${recordPaths.emojis}${emojiId}/emoji.json`,
  /** The folder of a page that is no row. */
  pageHome: (pageId: string) => `${recordPaths.pages}${pageId}/`,
  databaseHome: (databaseId: string) => `${recordPaths.databases}${databaseId}/`,
  database: (databaseId: string) => `${recordPaths.databaseHome(databaseId)}database.json`,
  viewsOf: (databaseId: string) => `${recordPaths.databaseHome(databaseId)}views/`,
  view: (databaseId: string, viewId: string) => `${recordPaths.viewsOf(databaseId)}${viewId}.json`,
  sourceHome: (sourceId: string) => `${recordPaths.sources}${sourceId}/`,
  source: (sourceId: string) => `${recordPaths.sourceHome(sourceId)}source.json`,
  rowsOf: (sourceId: string) => `${recordPaths.sourceHome(sourceId)}rows/`,
  rowHome: (sourceId: string, pageId: string) => `${recordPaths.rowsOf(sourceId)}${pageId}/`,
  templatesOf: (sourceId: string) => `${recordPaths.sourceHome(sourceId)}templates/`,
  templateHome: (sourceId: string, pageId: string) => `${recordPaths.templatesOf(sourceId)}${pageId}/`,
  /** What the last look at the whole page saw, for the next backup; not shown to users. */
  look: (home: string) => `${home}look.json`,
  /** Below the home of a page, row or template: */
  page: (home: string) => `${home}page.json`,
  blocksOf: (home: string) => `${home}blocks/`,
  /** A part of the page's blocks, from top to bottom. */
  blocks: (home: string, index: number) => `${home}blocks/${String(index).padStart(5, "0")}.json`,
  commentsOf: (home: string) => `${home}comments/`,
  comment: (home: string, commentId: string) => `${home}comments/${commentId}.json`,
  /** `name`: a block's id, `icon`, `cover`, or what `propertyFile` and `commentFile` return. */
  file: (home: string, name: string) => `${home}files/${name}`,
} as const;

/** The name of a file of a files property. Property ids may contain any character. */
export const propertyFile = (propertyId: string, index: number) =>
  `property-${encodeURIComponent(decodeURIComponent(propertyId)).replaceAll("%", "_")}-${index}`;

/** The name of a file that is attached to a comment. */
export const commentFile = (commentId: string, index: number) => `comment-${commentId}-${index}`;
