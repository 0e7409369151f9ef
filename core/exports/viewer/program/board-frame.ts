import type { ViewerPart } from "../data.ts";
import { add, button, make } from "./dom.ts";
import { about, inSteps, NAMELESS, type Scene } from "./frame.ts";
import { tagRow } from "./part.ts";
import { byRank, countText, dayText, initialsOf } from "./words.ts";

const CARDS_AT_ONCE = 50;

/** Columns side by side with their cards. */
export function boardFrame(scene: Scene): HTMLElement {
  const { board } = scene.view.catalogue;
  const columns = [...(board?.columns ?? [])];
  const known = new Set(columns.map(({ id }) => id));
  const groups = new Map<string, ViewerPart[]>(columns.map(({ id }) => [id, []]));
  for (const card of scene.view.parts) {
    if (!scene.matches(card) || (card.isArchived && !scene.hasArchived)) continue;
    const column = known.has(card.group ?? "") ? (card.group ?? "") : "";
    if (column === "" && !groups.has("")) {
      groups.set("", []);
      columns.push({ id: "", title: "In a list that is not in this version" });
    }
    groups.get(column)?.push(card);
  }
  const element = make("div", "board");
  for (const { id, title, isArchived } of columns) {
    const cards = (groups.get(id) ?? []).sort(byRank);
    const isAway = isArchived === true && !scene.hasArchived;
    if (isAway || (scene.words.length > 0 && cards.length === 0)) continue;
    const head = make(
      "h3",
      "board__head",
      make("span", "", title, isArchived ? " (archived)" : ""),
      make("b", "", String(cards.length)),
    );
    add(
      element,
      add(
        make("section", "board__col"),
        head,
        inSteps(make("ul", "plain"), cards, CARDS_AT_ONCE, (card) => cardElement(card, scene)),
      ),
    );
  }
  return make("div", "", board?.text !== undefined && about(board.text), element);
}

function cardElement(card: ViewerPart, scene: Scene): HTMLElement {
  const checks = (card.checklists ?? []).flatMap(({ items }) => items);
  const comments = (card.notes ?? []).filter(({ isEvent }) => !isEvent).length;
  const facts = [
    card.key,
    card.isArchived && "archived",
    card.dueAt !== undefined && `${card.isDone ? "done, was due" : "due"} ${dayText(card.dueAt)}`,
    checks.length > 0 && `${checks.filter(({ isDone }) => isDone).length}/${checks.length}`,
    comments > 0 && countText(comments, { one: "comment", many: "comments" }),
    card.files !== undefined && countText(card.files.length, { one: "file", many: "files" }),
    ...(card.badges ?? []),
  ].filter(Boolean);
  const foot = make("span", "card__foot", facts.join(" \u00b7 "));
  for (const name of (card.people ?? []).slice(0, 4)) {
    const face = make("span", "face", initialsOf(name));
    face.title = name;
    add(foot, face);
  }
  const front = button(
    card.isArchived ? "card is-archived" : "card",
    () => scene.open(card),
    card.tags !== undefined && tagRow(card),
    make("span", "card__title", card.title || NAMELESS),
    foot.hasChildNodes() && foot,
  );
  return make("li", "", front);
}
