import type { ViewerCover, ViewerPart } from "../data.ts";
import { boardFrame } from "./board-frame.ts";
import { coverElement, footElement } from "./cover.ts";
import { add, button, make } from "./dom.ts";
import { filesFrame } from "./files-frame.ts";
import type { Scene } from "./frame.ts";
import { icon } from "./icons.ts";
import { pagesFrame } from "./pages-frame.ts";
import { partElement, titleElement } from "./part.ts";
import { type LoadedView, listen, loadView, matches, readCover } from "./store.ts";
import { tableFrame } from "./table-frame.ts";
import { threadFrame } from "./thread-frame.ts";
import { countText, timeText, wordsOf } from "./words.ts";

const SEARCH_PAUSE_MS = 150;

/** The parts of the page that change. */
type Page = {
  cover: ViewerCover;
  tabs: HTMLButtonElement[];
  search: HTMLInputElement;
  archived: { label: HTMLLabelElement; box: HTMLInputElement; word: HTMLElement };
  status: HTMLElement;
  main: HTMLElement;
  dialog: HTMLDialogElement;
};

listen();
start(buildPage(readCover()));

function buildPage(cover: ViewerCover): Page {
  const tabs = cover.views.map(({ label, count }, index) =>
    button(
      "tab",
      () => go(index, null),
      label,
      count !== undefined && make("span", "count", ` ${count.toLocaleString("en-US")}`),
    ),
  );
  const search = make("input");
  search.type = "search";
  search.placeholder = "Search in this file";
  search.setAttribute("aria-label", "Search in this file");
  const box = make("input");
  box.type = "checkbox";
  const word = make("span");
  const label = make("label", "archived", box, word);
  const status = make("p", "status soft");
  status.setAttribute("role", "status");
  const main = make("main");
  const dialog = make("dialog");
  const views = make("nav", "tabs", ...tabs);
  views.setAttribute("aria-label", "Views");
  const tools = make("div", "tools", views, label, make("span", "search", icon("search"), search));
  tools.setAttribute("role", "search");
  add(
    document.body,
    make("div", "viewer", coverElement(cover), tools, status, main, footElement(cover)),
    dialog,
  );
  return { cover, tabs, search, archived: { label, box, word }, status, main, dialog };
}

/** Draws what the URL selects, and redraws on every change. */
function start(page: Page): void {
  const { cover, dialog, search, archived } = page;
  const draw = drawing(page);
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  dialog.addEventListener("close", () => {
    const { index, partId } = readPlace(cover.views.length);
    if (partId !== null && cover.views[index]?.kind === "board") go(index, null);
  });
  let timer = 0;
  search.addEventListener("input", () => {
    window.clearTimeout(timer);
    timer = window.setTimeout(draw, SEARCH_PAUSE_MS);
  });
  archived.box.addEventListener("change", draw);
  window.addEventListener("hashchange", draw);
  draw();
}

/** Loads a view when it is first shown. Data for a view that is no longer shown is kept but not drawn. */
function drawing(page: Page): () => void {
  const views: (Promise<LoadedView> | undefined)[] = [];
  let turns = 0;
  return async () => {
    const { index, partId } = readPlace(page.cover.views.length);
    turns += 1;
    const turn = turns;
    const paint = (view: LoadedView) => {
      if (turn === turns) paintView(page, view, partId);
    };
    for (const [at, tab] of page.tabs.entries()) tab.setAttribute("aria-current", String(at === index));
    try {
      views[index] ??= loadView(index, (view, done) => {
        if (turn === turns) page.status.textContent = `Reading ${done} of ${view.catalogue.fileCount}`;
        if (done === 1) paint(view);
      });
      paint(await views[index]);
    } catch (cause) {
      views[index] = undefined;
      if (turn === turns) paintLack(page, cause);
    }
  };
}

/** Shown when a data file is missing: people open one file of a ZIP without extracting the rest. */
function paintLack({ status, main }: Page, cause: unknown): void {
  const what = cause instanceof Error ? cause.message : "viewer/";
  status.textContent = "";
  main.replaceChildren(
    make("p", "note", `${what} is not beside this page. Unpack the whole ZIP, and open index.html there.`),
  );
}

function paintView(page: Page, view: LoadedView, partId: string | null): void {
  const { cover, search, archived, status, main, dialog } = page;
  const kind = cover.views[view.index]?.kind ?? "files";
  const words = wordsOf(search.value);
  const scene: Scene = {
    view,
    takenAt: cover.takenAt,
    words,
    hasArchived: archived.box.checked,
    opened: partId === null ? null : (view.byId.get(partId) ?? null),
    open: (part) => go(view.index, part),
    matches: (part) => matches(view, part, words),
  };
  const isAway = ({ isArchived }: { isArchived?: true }) => isArchived === true;
  archived.word.textContent = `Show ${view.catalogue.board?.words.away ?? "archived"}`;
  archived.label.hidden = !view.parts.some(isAway) && !view.catalogue.board?.columns.some(isAway);
  if (search.parentElement !== null) search.parentElement.hidden = kind === "files";
  status.textContent = statusText(view, kind, scene);
  main.replaceChildren(frameOf(kind, scene));
  if (kind === "board") showDialog(dialog, scene);
  else if (dialog.open) dialog.close();
}

/** Opens a card in a dialog over its board. */
function showDialog(dialog: HTMLDialogElement, scene: Scene): void {
  const { opened } = scene;
  if (opened === null) {
    if (dialog.open) dialog.close();
    return;
  }
  const close = button("close", () => scene.open(null), "Close");
  dialog.replaceChildren(
    make("header", "dialog__head", titleElement(opened), close),
    partElement(opened, scene),
  );
  if (!dialog.open) dialog.showModal();
}

/** Reads the view and part from the URL. */
function readPlace(count: number): { index: number; partId: string | null } {
  const [view = "", part = ""] = location.hash.slice(1).split("/");
  const index = Number(view);
  const isView = Number.isInteger(index) && index >= 0 && index < count;
  return { index: isView ? index : 0, partId: part === "" ? null : decoded(part) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function go(index: number, part: ViewerPart | null): void {
  location.hash = part === null ? String(index) : `${index}/${encodeURIComponent(part.id)}`;
  if (part !== null) window.scrollTo(0, 0);
}

/** What a view counts: tables count their rows, pages omit the rows of their tables. */
const COUNTED = { board: "card", thread: "thread", pages: "page", table: "row", files: "page" } as const;

function statusText({ catalogue, parts }: LoadedView, kind: keyof typeof COUNTED, scene: Scene): string {
  const { obstacle, cut, words } = catalogue;
  if (obstacle !== undefined) return obstacle;
  if (words === undefined) return "";
  const listed = parts.filter(
    ({ type, isArchived }) => type === COUNTED[kind] && (!isArchived || scene.hasArchived),
  );
  if (scene.words.length > 0) return `${countText(listed.filter(scene.matches).length, words)} found`;
  if (cut === undefined) return countText(listed.length, words);
  const all = cut.all === null ? "" : ` of ${cut.all.toLocaleString("en-US")}`;
  return `Here are the first ${cut.shown.toLocaleString("en-US")}${all} ${words.many}. All others are below metadata/ in this ZIP.`;
}

function frameOf(kind: ViewerCover["views"][number]["kind"], scene: Scene): HTMLElement {
  switch (kind) {
    case "board":
      return boardFrame(scene);
    case "files":
      return filesFrame(scene);
    case "thread":
      return scene.opened === null ? threadFrame(scene) : openedFrame(scene.opened, scene);
    case "pages":
      return make(
        "div",
        "pages",
        pagesFrame(scene),
        scene.opened === null ? make("p", "soft", "Choose a page.") : openedFrame(scene.opened, scene),
      );
    case "table": {
      const table = scene.view.byId.get("");
      if (scene.opened !== null && scene.opened.type === "row") return openedFrame(scene.opened, scene);
      return table === undefined ? make("div") : tableFrame(table, scene);
    }
  }
}

/** A part shown in place of its list, with a link back. */
function openedFrame(part: ViewerPart, scene: Scene): HTMLElement {
  const above = part.type === "row" ? (scene.view.byId.get(part.group ?? "") ?? null) : null;
  const back = part.type === "thread" || part.type === "row";
  const by = [
    part.state?.label,
    part.author && `by ${part.author}`,
    part.at !== undefined && timeText(part.at),
    part.editedAt !== undefined && `edited ${timeText(part.editedAt)}`,
  ].filter(Boolean);
  return make(
    "article",
    "opened",
    back && button("link back", () => scene.open(above?.id === "" ? null : above), "\u2190 Back to the list"),
    titleElement(part),
    by.length > 0 && make("p", "soft", by.join(", ")),
    part.type === "table" ? tableFrame(part, scene) : partElement(part, scene),
  );
}
