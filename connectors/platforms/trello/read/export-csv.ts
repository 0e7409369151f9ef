import type { CardView, Names } from "./export-view.ts";

const CARD_COLUMNS = [
  ...["List", "Card", "Description", "Labels", "Members", "Start", "Due", "Done", "Archived"],
  ...["Checklists", "Attachments", "Comments", "Address at Trello"],
];
export const COMMENT_COLUMNS = ["Card", "Author", "Written", "Comment", "Address at Trello"];

/** Column names of `cards.csv`, with those of the board's own fields. */
export function cardColumns(names: Names): string[] {
  return [...CARD_COLUMNS, ...ownColumns(names)];
}

/** The line of a card. */
export function cardRow(card: CardView, names: Names): string[] {
  return [
    card.list,
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
    ...ownColumns(names).map((field) => card.fields.find(({ name }) => name === field)?.value ?? ""),
  ];
}

/** One line per comment of a card. */
export function commentRows(card: CardView): string[][] {
  return card.comments.map(({ author, at, text }) => [card.name, author, at, text, card.url ?? ""]);
}

function ownColumns({ fields }: Names): string[] {
  return [...new Set(fields.map(({ name }) => name))].sort();
}
