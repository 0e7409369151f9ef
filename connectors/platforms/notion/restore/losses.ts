import type { ReportLine } from "#connectors/toolkit/records/restore-stage.ts";

/** What becomes of pieces of a version that Notion's API does not take as they were. */
const LOSSES = {
  people: ["changed", "Mentions of people", "They are written as names, so that nobody is notified."],
  outside: [
    "changed",
    "Mentions of pages and links to pages that this restore does not bring back",
    "They lead to the original pages.",
  ],
  emoji: [
    "changed",
    "Custom emojis in texts and icons",
    "The workspace no longer has them; texts show their names.",
  ],
  link: ["changed", "Links that Notion does not accept", "Their text is kept without the address."],
  cut: ["changed", "Very long texts", "Notion takes 100 pieces of text; the backup holds the rest."],
  long: [
    "changed",
    "Very long blocks",
    "Their text goes on in a block below, because Notion takes 100 pieces of text.",
  ],
  preview: [
    "changed",
    "Previews of links",
    "Notion makes them on its site only; bookmarks stand in their place.",
  ],
  meeting: [
    "changed",
    "Meeting notes",
    "Toggles hold their text; Notion makes meeting notes from recordings only.",
  ],
  synced: [
    "changed",
    "Synced blocks whose original this restore does not bring back",
    "They hold the content that the backup has of them.",
  ],
  unsupported: [
    "changed",
    "Blocks that Notion's API cannot make",
    "A short note stands in the place of each, and names what was there.",
  ],
  linkedView: [
    "changed",
    "Views of tables that stand elsewhere, and pages that the version does not hold",
    "A link to the original stands in the place of each.",
  ],
  stray: [
    "changed",
    "Pages and tables whose place is unknown",
    "They stand at the end of the new page: the version does not hold what is around them, or they were in a wiki.",
  ],
  place: [
    "changed",
    "Pages inside columns, toggles and other blocks",
    "Notion's API makes pages only beside such blocks; they stand below them.",
  ],
  relation: [
    "changed",
    "Relations to pages that this restore does not bring back",
    "Notion's API takes only pages of the related table.",
  ],
  relationCut: [
    "missing",
    "Relations with more than 100 pages",
    "Notion's API takes 100 pages; the backup holds all.",
  ],
  peopleLeft: [
    "missing",
    "People in properties who are no longer in the workspace",
    "Notion knows them no more.",
  ],
  listCut: ["missing", "Properties with more than 100 people, files or options", "Notion's API takes 100."],
  idNumbers: ["changed", "Numbers of unique IDs", "Notion numbers the restored rows anew."],
  idPrefix: ["changed", "Prefixes of unique IDs", "Another table of the workspace uses them."],
  statusGroups: [
    "changed",
    "Groups of status options",
    "Notion's API puts all options into the group To-do.",
  ],
  buttons: [
    "changed",
    "Actions of buttons in tables",
    "Notion's API does not tell them; the restored buttons do nothing.",
  ],
  properties: [
    "changed",
    "Properties of types that Notion's API cannot make",
    "Their values are in the backup.",
  ],
  rowOrder: ["changed", "Order of the rows in large tables", "It is kept in tables of up to 2,000 rows."],
  rowValues: [
    "changed",
    "Properties of the row",
    "A page outside a table has a title only; the values stand at its top.",
  ],
  commentPlace: [
    "changed",
    "Comments on blocks that became something else",
    "They stand on the page, because the block does not exist any more.",
  ],
  commentCopies: [
    "missing",
    "Comments inside synced blocks whose original this restore does not bring back",
    "They belong to the original.",
  ],
  commentsForbidden: [
    "missing",
    "Comments",
    "The connection lacks the capability “Insert comments”. Connect the workspace again to grant it.",
  ],
  commentRefused: ["missing", "Comments that Notion refused", "The backup holds them."],
  attachmentCut: ["missing", "Files of comments beyond the third", "Notion's API takes three."],
  viewRefused: ["missing", "Views that Notion refused", "The backup holds their settings."],
  verification: [
    "changed",
    "Verifications of pages",
    "They state who checked a page, which a restore must not claim.",
  ],
  fileMissing: [
    "missing",
    "Files whose bytes the version does not hold",
    "They could not be read when it was taken.",
  ],
  fileLarge: [
    "missing",
    "Files that are larger than the workspace's plan allows",
    "Notion's plan limits their size.",
  ],
  fileRefused: ["missing", "Files that Notion refused", "Notion did not take their type or content."],
  blockRefused: ["missing", "Blocks that Notion refused", "Their text is kept as a paragraph."],
  valueRefused: ["missing", "Values of properties that Notion refused", "The backup holds them."],
} as const satisfies Record<string, readonly ["changed" | "missing", string, string]>;

export type Loss = keyof typeof LOSSES;
export const losses = Object.keys(LOSSES) as Loss[];

/** The line of the report for a loss. */
export function lossLine(loss: Loss): ReportLine {
  const [type, what, reason] = LOSSES[loss];
  return { type, what, reason };
}
