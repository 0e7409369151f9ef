import type { ViewerPart } from "../data.ts";
import { add, button, make } from "./dom.ts";
import { about, inSteps, NAMELESS, type Scene } from "./frame.ts";
import { type IconName, icon } from "./icons.ts";
import { tagRow } from "./part.ts";
import { byRank, countText, dayText, initialsOf, shortDayText } from "./words.ts";

const CARDS_AT_ONCE = 20;
const FACES = 4;

/** Ruled columns side by side with their cards. Only the board scrolls sideways, by keyboard too. */
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
      columns.push({ id: "", title: `In a ${board?.words.column ?? "column"} that is not in this version` });
    }
    groups.get(column)?.push(card);
  }
  const away = board?.words.away ?? "archived";
  const element = make("section", "board");
  element.tabIndex = 0;
  element.setAttribute("aria-label", "Board");
  for (const { id, title, isArchived } of columns) {
    const cards = (groups.get(id) ?? []).sort(byRank);
    const isAway = isArchived === true && !scene.hasArchived;
    if (isAway || (scene.words.length > 0 && cards.length === 0)) continue;
    const head = make(
      "h3",
      "board__head",
      make("span", "", title, isArchived ? ` (${away})` : ""),
      make("b", "", cards.length.toLocaleString("en-US")),
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
  return make("div", "", make("h2", "sr", "Board"), board?.text !== undefined && about(board.text), element);
}

/** A card as a line: labels, title, then its facts and the people on it. */
function cardElement(card: ViewerPart, scene: Scene): HTMLElement {
  const foot = make("span", "card__foot", ...signsOf(card, scene));
  const people = card.people ?? [];
  if (people.length > 0) add(foot, faces(people));
  const front = button(
    card.isArchived ? "card is-archived" : "card",
    () => scene.open(card),
    card.tags !== undefined && tagRow(card),
    make("span", "card__title", card.title || NAMELESS),
    foot.hasChildNodes() && foot,
  );
  return make("li", "", front);
}

function signsOf(card: ViewerPart, { view, takenAt }: Scene): HTMLElement[] {
  const { key, isArchived, dueAt, startAt, isDone, files, badges } = card;
  const signs: HTMLElement[] = [];
  if (key !== undefined) signs.push(make("span", "mono", key));
  if (isArchived) signs.push(make("span", "", view.catalogue.board?.words.away ?? "archived"));
  const at = dueAt ?? startAt;
  if (at !== undefined) {
    const word = dueAt === undefined ? "starts" : isDone ? "done, was due" : "due";
    signs.push(sign("calendar", shortDayText(at, takenAt), `${word} ${dayText(at)}`));
  }
  const checks = (card.checklists ?? []).flatMap(({ items }) => items);
  if (checks.length > 0) {
    const done = checks.filter((check) => check.isDone).length;
    signs.push(sign("checks", `${done}/${checks.length}`, `${done} of ${checks.length} done`));
  }
  if (files !== undefined) signs.push(counted("files", files.length, { one: "file", many: "files" }));
  const comments = (card.notes ?? []).filter(({ isEvent }) => !isEvent).length;
  if (comments > 0) signs.push(counted("comments", comments, { one: "comment", many: "comments" }));
  return [...signs, ...(badges ?? []).map((words) => make("span", "", words))];
}

function counted(name: IconName, count: number, words: { one: string; many: string }): HTMLElement {
  return sign(name, count.toLocaleString("en-US"), countText(count, words));
}

/** An icon with a short text; `words` say the same to those who do not see the icon. */
function sign(name: IconName, text: string, words: string): HTMLElement {
  const shown = make("span", "", text);
  shown.setAttribute("aria-hidden", "true");
  const element = make("span", "sign", icon(name), shown, make("span", "sr", words));
  element.title = words;
  return element;
}

function faces(people: readonly string[]): HTMLElement {
  const element = make("span", "faces");
  for (const name of people.slice(0, FACES)) {
    const initials = make("span", "face", initialsOf(name));
    initials.setAttribute("aria-hidden", "true");
    initials.title = name;
    add(element, initials);
  }
  const more = people.length > FACES && `+${people.length - FACES}`;
  return add(element, more, make("span", "sr", people.join(", ")));
}
