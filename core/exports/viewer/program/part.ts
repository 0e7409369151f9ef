import type { Tint } from "#connectors/contract/page-block.ts";
import type { ViewerBlock, ViewerNote, ViewerPart } from "../data.ts";
import { add, button, fileLine, make, markdown, webLink } from "./dom.ts";
import { NAMELESS, type Scene } from "./frame.ts";
import { inlineTable } from "./table-frame.ts";
import { capitalised, initialsOf, timeText } from "./words.ts";

/** An opened part: its content and notes, and a rail of facts. */
export function partElement(part: ViewerPart, scene: Scene): HTMLElement {
  const main = make("div", "read__main", ...(part.blocks ?? []).map((block) => blockElement(block, scene)));
  for (const { title, items } of part.checklists ?? [])
    add(
      main,
      section(
        title,
        list(items, ({ text, isDone, dueAt }) =>
          make(
            "span",
            isDone ? "soft" : "",
            isDone ? "\u2611 " : "\u2610 ",
            text,
            dueAt !== null && ` (due ${timeText(dueAt)})`,
          ),
        ),
      ),
    );
  if (part.type === "thread") add(main, thread(part.notes ?? []));
  else addNotes(main, part.notes ?? []);
  if (part.areNotesCut)
    add(main, make("p", "soft", "More was written here than this page shows. All of it is below metadata/."));
  if (!main.hasChildNodes()) add(main, make("p", "soft", "No text."));
  const facts = rail(part, scene);
  return make("div", facts ? "read" : "read is-plain", main, facts);
}

function addNotes(main: HTMLElement, notes: readonly ViewerNote[]): void {
  const comments = notes.filter(({ isEvent }) => !isEvent);
  const events = notes.filter(({ isEvent }) => isEvent);
  // The newest comments come first: people look for them first.
  if (comments.length > 0) add(main, section("Comments", thread(comments.slice().reverse())));
  if (events.length > 0) add(main, section("History", thread(events.slice().reverse())));
}

/** Comments as posts, with events as lines between them. */
function thread(notes: readonly ViewerNote[]): HTMLElement {
  return make("div", "thread", ...notes.map(noteElement));
}

function noteElement(note: ViewerNote): HTMLElement {
  const { author, at, editedAt, text, about, isEvent, reactions, files } = note;
  const by = make("b", "", author || "Somebody");
  const time = at !== undefined && make("time", "", timeText(at));
  if (isEvent) return make("p", "event", make("span", "", by, ` ${text}`), time);
  const head = make("p", "post__who", by, editedAt !== undefined && `edited ${timeText(editedAt)}`, time);
  const body = make("div", "", head, about !== undefined && make("p", "soft", about), markdown(text));
  for (const file of files ?? []) add(body, make("p", "", fileLine(file)));
  if (reactions !== undefined)
    add(
      body,
      make("p", "chips", ...reactions.map(({ sign, count }) => make("span", "chip", `${sign} ${count}`))),
    );
  return make("article", "post", make("span", "face", initialsOf(author ?? "")), body);
}

function blockElement(block: ViewerBlock, scene: Scene): HTMLElement {
  switch (block.type) {
    case "text":
      return make(
        "div",
        tintClass(block.tint),
        markdown(block.text),
        block.isCut && make("p", "soft", "The text goes on below metadata/."),
      );
    case "file":
      return make("p", "", fileLine(block.file));
    case "inset":
      return make(
        "div",
        `inset is-${block.look} ${tintClass(block.tint)}`,
        block.icon !== undefined && make("span", "inset__icon", block.icon),
        stack(block.blocks, scene),
      );
    case "toggle":
      return make(
        "details",
        `toggle ${tintClass(block.tint)}`,
        make("summary", "", markdown(block.title)),
        stack(block.blocks, scene),
      );
    case "columns": {
      const columns = make("div", "columns", ...block.columns.map(({ blocks }) => stack(blocks, scene)));
      columns.style.setProperty(
        "--shares",
        block.columns.map(({ share }) => `minmax(0,${share}fr)`).join(" "),
      );
      return columns;
    }
    case "absent":
      return make("p", "absent", block.reason, " ", block.url !== undefined && webLink(block.url, block.url));
    default: {
      const target = scene.view.byId.get(block.id);
      if (target === undefined) return make("p", "soft", block.title);
      if (block.type === "table" && block.isInline) return inlineTable(target, block.title, scene);
      return make(
        "p",
        "",
        button("link", () => scene.open(target), block.title || "(no title)"),
      );
    }
  }
}

function stack(blocks: readonly ViewerBlock[], scene: Scene): HTMLElement {
  return make("div", "stack", ...blocks.map((block) => blockElement(block, scene)));
}

function tintClass(tint: Tint | undefined): string {
  return tint === undefined ? "" : `hue-${tint.hue} has-${tint.on}`;
}

function section(title: string, content: HTMLElement): HTMLElement {
  return make("section", "", make("h3", "", title), content);
}

function list<T>(values: readonly T[], draw: (value: T) => HTMLElement): HTMLElement {
  if (values.length === 0) return make("p", "soft", "Nothing in it.");
  return make("ul", "plain", ...values.map((value) => make("li", "", draw(value))));
}

function rail(part: ViewerPart, scene: Scene): HTMLElement | null {
  const element = make("aside", "facts-rail");
  const fact = (name: string, ...content: (Node | string)[]) =>
    add(element, make("section", "", make("h3", "", name), make("div", "", ...content)));
  const { board } = scene.view.catalogue;
  if (board !== undefined) {
    const column = board.columns.find(({ id }) => id === part.group);
    const { column: word } = board.words;
    if (part.isArchived) fact("State", capitalised(board.words.away));
    fact(capitalised(word), column?.title ?? `A ${word} that is not in this version`);
  }
  if (part.tags !== undefined) fact("Labels", tagRow(part));
  if (board !== undefined && part.people !== undefined)
    fact(capitalised(board.words.people), part.people.join(", "));
  if (part.startAt !== undefined) fact("Start", timeText(part.startAt));
  if (part.dueAt !== undefined) fact("Due", timeText(part.dueAt), part.isDone ? ", done" : "");
  for (const { name, value } of part.fields ?? []) fact(name, value);
  const table = part.type === "row" ? scene.view.byId.get(part.group ?? "") : undefined;
  for (const { id, name } of table?.columns ?? []) {
    const text = part.cells?.[id];
    if (text) fact(name, text);
  }
  if (part.files !== undefined) fact("Files", list(part.files, fileLine));
  if (part.reactions !== undefined)
    fact("Reactions", part.reactions.map(({ sign, count }) => `${sign} ${count}`).join(", "));
  if (part.url !== undefined) fact("At its platform", webLink(part.url, hostOf(part.url)));
  return element.hasChildNodes() ? element : null;
}

/** The title of an opened part, with its short name. */
export function titleElement({ icon, title, key }: ViewerPart): HTMLElement {
  return make(
    "h2",
    "",
    icon !== undefined && `${icon} `,
    title || NAMELESS,
    key !== undefined && make("span", "mono", ` ${key}`),
  );
}

/** Labels with their colours; a label without a name shows its colour. */
export function tagRow({ tags }: ViewerPart): HTMLElement {
  return make(
    "span",
    "tags",
    ...(tags ?? []).map(({ name, hue }) => make("span", `tag hue-${hue ?? "none"}`, name || (hue ?? ""))),
  );
}

function hostOf(url: string): string {
  return /^https?:\/\/([^/]+)/i.exec(url)?.[1] ?? url;
}
