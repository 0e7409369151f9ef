import type { RestoreWords } from "#connectors/contract/platform-ui.ts";

/** Texts of the restore dialog. */
export const restoreWords = {
  comesBack: {
    workspace: [
      "Every page with its blocks, in their order and as deep as they were, with icons, covers and files.",
      "Databases with their tables, every property, relations in both directions, rollups and formulas.",
      "Rows with their values and what is written on them; relations lead to the restored rows.",
      "Views with their filters, sorts and groups.",
      "Mentions of pages, links to pages and synced blocks lead to the restored pages.",
      "Comments under the names of their authors, on the blocks they were on.",
      "Everything is below a new page; what the workspace holds does not change.",
    ],
  },
  cannot: {
    workspace: [
      "Creators and dates: Notion shows the connected account and the day of the restore.",
      "Permissions, history and resolved comments: Notion's API does not give them.",
      "Numbers of unique IDs: Notion counts anew. Groups of status options: all stand in To-do.",
      "Buttons, forms and templates of tables: Notion's API cannot make them. Notes stand in the places of such blocks.",
      "Mentions of people become their names, so that nobody is notified.",
    ],
  },
  guide: {
    label: "How To Restore",
    title: "How to restore a Notion workspace",
    steps: [
      "Name the new page. It is made at the top of the workspace, visible to the person who connected it.",
      "Start the restore. Notion takes three requests in a second, so a large workspace takes hours; you may leave this page.",
      "When it is done, look at the report, and move the pages to where you want them in Notion.",
      "To get a single page, row or database back, open the version and restore only that.",
    ],
  },
  addsPart: {
    page: "As a new page at the end of the page that you choose.",
    row: "As a new row of the table that it came from, or as a page with its values below the page that you choose.",
    database: "As a new database at the end of the page that you choose, with all its rows.",
  },
} satisfies RestoreWords;
