/** The text that explains the ZIP. */
export function readme(name: string, counts: Readonly<Record<string, number>>): string {
  const count = (kind: string) => String(counts[kind] ?? 0);
  return [
    `${name.replace(/\p{Cc}+/gu, " ")} - a backup of a Notion workspace`,
    "",
    "What is inside",
    "  index.html       pages and tables with a search; open it in a browser, it needs no network",
    "  viewer/          what that page reads",
    `  pages/           ${count("page")} pages as Markdown, in folders of the pages above them;`,
    `                   ${count("data-source")} tables as CSV for a spreadsheet, each with a folder for rows that hold text;`,
    "                   the files of a page in its folder",
    "                   (large tables go on in a second file and so on)",
    "  metadata/        everything as JSON, in Notion's own words:",
    "                   pages/<id>/page.json with blocks/ and comments/ beside it, databases/, sources/ with their rows",
    "",
    "Names end with the last letters of Notion's id, so that two pages of one title stay apart.",
    "",
    "How to read it",
    "  Toggles are written as items or headings, columns one after the other, boxes as quotes.",
    "  Equations are written in LaTeX. Underlines and the colours of words are in metadata/ only.",
    "  blocks/ holds all blocks of a page from top to bottom; parent names the block above each.",
    "  A file has address (without its signature) and path, the name of its bytes in this version.",
    "",
    "What is not inside",
    "  Page history, resolved comments, permissions, automations and what buttons do: Notion's API does not give them.",
    "  Pages that the owner did not tick when the workspace was connected.",
    "  If LEFT-OUT.txt is here, it names pages and tables that did not fit; they are in metadata/.",
    "",
  ].join("\n");
}
