import { compareCopy } from "#app/copy/compare.ts";
import { capitalised, countText } from "#app/format/counts.ts";
import { visibleName } from "#app/format/visible-text.ts";
import type {
  ColumnDifference,
  PartChange,
  PartDifference,
  PartField,
  ViewDifference,
} from "#core/comparisons/views.ts";

const copy = compareCopy.parts;

/** The differences of a view that has parts. */
export type PartsDifference = Exclude<ViewDifference, { kind: "files" }>;

/** Returns the label of a field. Boards have their own labels for some. */
export function fieldName(view: PartsDifference, field: PartField): string {
  const own: Partial<Record<PartField, string>> =
    view.kind === "board"
      ? { ...copy.boardFields, column: view.words.column.one, people: view.words.people }
      : {};
  return own[field] ?? copy.fields[field];
}

/** Describes the change of a list. */
export function columnText({ change, what }: ColumnDifference): string {
  if (change === "added") return copy.isNew;
  if (change === "removed") return copy.gone;
  return what
    .map((each) => {
      switch (each.type) {
        case "renamed":
          return copy.renamed(visibleName(each.from));
        case "reordered":
          return copy.reorderedList;
        default:
          return copy[each.type];
      }
    })
    .join(". ");
}

/** Describes the change of a part: its move, its edited fields, its number of comments. */
export function partText(view: PartsDifference, { change, what, place }: PartDifference): string {
  if (change === "added") return place === null ? copy.isNew : copy.isNewIn(visibleName(place));
  if (change === "removed") return place === null ? copy.gone : copy.was(visibleName(place));
  const edited: string[] = [];
  const sentences: string[] = [];
  for (const each of what) {
    if (each.type === "field") edited.push(fieldName(view, each.field));
    else if (each.type === "own") edited.push(visibleName(each.name));
    else sentences.push(sentenceOf(view, each));
  }
  if (edited.length > 0) sentences.push(copy.edited(edited.join(", ")));
  return sentences.join(". ");
}

function sentenceOf(view: PartsDifference, change: Exclude<PartChange, { type: "field" | "own" }>): string {
  switch (change.type) {
    case "moved": {
      const nowhere = view.kind === "board" ? copy.noList(view.words.column.one) : copy.nowhere;
      return copy.moved(visibleName(change.from) || nowhere, visibleName(change.to) || nowhere);
    }
    case "comments": {
      const { one, many } = copy.comment;
      const present = (["added", "changed", "removed"] as const).filter((key) => change[key] > 0);
      return capitalised(
        present.map((key) => copy.comments[key](countText(change[key], one, many))).join(", "),
      );
    }
    default:
      return copy[change.type];
  }
}
