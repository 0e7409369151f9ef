import type { ExportedBoard } from "./export-view.ts";

/** A table; the first row holds the column names. */
type Table = readonly (readonly string[])[];

/** One row per card, in board order. */
export function cardRows(view: ExportedBoard): Table {
  const lists = new Map(view.lists.map(({ id, name }) => [id, name]));
  const fields = [...new Set(view.cards.flatMap((card) => card.fields.map(({ name }) => name)))].sort();
  const head = ["List", "Card", "Description", "Labels", "Members", "Start", "Due", "Done", "Archived"];
  const more = ["Checklists", "Attachments", "Comments", "Address at Trello", ...fields];
  const rows = view.cards.map((card) => [
    lists.get(card.listId) ?? "",
    card.name,
    card.description,
    card.labels.map(({ name, color }) => name || (color ?? "")).join(", "),
    card.members.join(", "),
    card.start ?? "",
    card.due ?? "",
    card.isDone ? "yes" : "no",
    card.isArchived ? "yes" : "no",
    card.checklists
      .flatMap(({ name, items }) => items.map((item) => `${name}: [${item.isDone ? "x" : " "}] ${item.name}`))
      .join("\n"),
    card.attachments.map(({ name, href }) => `${name} (${href})`).join("\n"),
    String(card.comments.length),
    card.url ?? "",
    ...fields.map((field) => card.fields.find(({ name }) => name === field)?.value ?? ""),
  ]);
  return [[...head, ...more], ...rows];
}

/** One row per comment, card by card. */
export function commentRows(view: ExportedBoard): Table {
  const rows = view.cards.flatMap((card) =>
    card.comments.map(({ author, at, text }) => [card.name, author, at, text, card.url ?? ""]),
  );
  return [["Card", "Author", "Written", "Comment", "Address at Trello"], ...rows];
}
