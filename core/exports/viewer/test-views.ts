import type { BoardCard, BoardView, BoardWords } from "#connectors/contract/board-view.ts";
import type { FileTree } from "#connectors/contract/file-tree.ts";
import type { Note, Notes } from "#connectors/contract/note.ts";
import type { PageDetail, PagesView } from "#connectors/contract/pages-view.ts";
import type { TableView } from "#connectors/contract/table-view.ts";
import type { ThreadsView } from "#connectors/contract/thread-view.ts";
import type { View } from "#connectors/contract/view.ts";

/** A comment, or with `type` an event. */
export function note(text: string, more: Partial<Note> = {}): Note {
  return {
    path: `notes/${text}`,
    type: "comment",
    author: "Nora",
    at: 1,
    editedAt: null,
    text,
    about: null,
    answers: null,
    reactions: [],
    files: [],
    ...more,
  };
}

const PLAIN = { proposal: null, comesBackAs: null };
const notes = (...all: Note[]): Notes => ({ notes: all, next: null });

async function* each<T>(all: readonly T[]): AsyncGenerator<T, void> {
  yield* all;
}

/** Words that no platform of the product has. */
export const BOARD_WORDS: BoardWords = {
  card: { one: "ticket", many: "tickets" },
  column: { one: "lane", many: "lanes" },
  people: "crew",
  away: "stowed",
};

/** A board with one column and `count` cards; `onRead` counts reads. */
export function boardView(count: number, onRead: () => void = () => {}, text = "Its text"): View {
  const card = (number: number): BoardCard => ({
    id: `c${number}`,
    path: `cards/${number}`,
    columnId: "todo",
    rank: count - number,
    key: null,
    title: `Card ${number}`,
    isArchived: number % 2 === 1,
    role: null,
    tags: [{ name: "urgent", hue: "red", shade: "normal" }],
    cover: null,
    startAt: null,
    dueAt: null,
    isDone: false,
    people: ["Nora Lindqvist"],
    checks: null,
    commentCount: 1,
    fileCount: 1,
    hasText: true,
    badges: ["2 votes"],
  });
  const board: BoardView = {
    words: BOARD_WORDS,
    facts: async () => ({ title: "Board", text: "", url: null, isArchived: false }),
    columns: async () => [{ id: "todo", path: null, title: "To do", isArchived: false }],
    async *cards() {
      for (let number = 0; number < count; number += 1) yield { ...card(number), words: "" };
    },
    async card(id) {
      onRead();
      const files = [
        { name: "scan.txt", path: "files/a b", url: null, sizeBytes: 3 },
        { name: "gone.txt", path: null, url: null, sizeBytes: null },
        { name: "evil", path: null, url: "javascript:alert(1)", sizeBytes: null },
      ];
      return { ...card(Number(id.slice(1))), url: null, text, fields: [], checklists: [], files };
    },
    comments: async () => notes(note("the newest"), note("the oldest")),
    comment: async () => null,
    history: async () => notes(note("moved it", { type: "event" })),
    roleOf: () => null,
  };
  return { kind: "board", id: "board", label: "Board", open: async () => board };
}

/** Threads, newest first. */
export function threadView(titles: readonly string[]): View {
  const rows = titles.map((title, at) => ({
    id: String(at),
    path: `issues/${at}`,
    key: `#${at}`,
    title,
    state: { label: "Open", isOpen: true },
    author: "nora",
    at: at * 1_000,
    tags: [],
  }));
  const threads: ThreadsView = {
    words: { one: "issue", many: "issues" },
    count: titles.length,
    hasStates: true,
    threads: () => each(rows.map((row) => ({ ...row, words: "" }))),
    async thread(id) {
      const row = rows[Number(id)];
      if (row === undefined) return null;
      return {
        ...row,
        editedAt: null,
        url: null,
        text: "Body",
        reactions: [],
        fields: [],
        files: [],
        ...PLAIN,
      };
    },
    neighbours: async () => ({ newer: null, older: null }),
    notes: async () => notes(note("first"), note("closed it", { type: "event" }), note("last")),
    comment: async () => null,
    roleOf: () => null,
  };
  return { kind: "thread", id: "issues", label: "Issues", open: async () => threads };
}

/** Rows with a number, a day and labels, shown in each layout. */
export function testTable(titles: readonly string[]): TableView {
  const day = Date.UTC(2026, 10, 20);
  const rows = titles.map((title, at) => ({
    id: `r${at}`,
    path: `rows/${at}`,
    key: null,
    title,
    isArchived: false,
    cells: {
      n: { type: "number" as const, value: at, text: `${at} kg` },
      d: { type: "date" as const, from: day + at * 86_400_000, until: null, hasTime: false },
      t: { type: "tags" as const, tags: [{ name: "night", hue: null, shade: "normal" as const }] },
    },
  }));
  const columns = ["n", "d", "t"];
  return {
    facts: async () => ({
      path: null,
      title: "Belts",
      icon: null,
      text: "",
      url: null,
      columns: [
        { id: "n", name: "Weight", type: "number" },
        { id: "d", name: "Checked", type: "date" },
        { id: "t", name: "State", type: "tags" },
      ],
      layouts: [
        { id: "all", label: "All", type: "table", columns },
        { id: "days", label: "Days", type: "calendar", date: "d", columns },
        {
          ...{ id: "states", label: "States", type: "board", group: "t", order: ["day"], columns },
          ...{ sorts: [{ column: "n", isDescending: true }], hasFilter: true },
        },
      ],
      rowCount: titles.length,
    }),
    rows: () =>
      each(rows.map((row) => ({ ...row, words: "", ...(row.title === "" && { hiddenIn: ["states"] }) }))),
    async row(id) {
      const row = rows.find((one) => one.id === id);
      if (row === undefined) return null;
      const more = { url: null, author: null, at: null, editedAt: null, files: [] };
      return { ...row, ...more, blocks: [{ type: "text", text: `About ${row.title}` }] };
    },
    comments: async () => notes(),
    comment: async () => null,
    roleOf: () => null,
  };
}

const scan = { name: "scan.txt", path: "files/scan", url: null, sizeBytes: 3 };

/** A page with a page and a table below it. */
export function pagesView(): View {
  const node = (id: string, type: "page" | "table", title: string, childCount: number) => {
    return { id, path: `pages/${id}`, type, title, icon: null, isArchived: false, childCount };
  };
  const below: Record<string, ReturnType<typeof node>[]> = {
    "": [node("home", "page", "Handbook", 2)],
    home: [node("night", "page", "Night shift", 0), node("belts", "table", "Belts", 0)],
  };
  const detail = (id: string, title: string): PageDetail => ({
    ...node(id, "page", title, 0),
    crumbs: id === "home" ? [] : [{ id: "home", type: "page", title: "Handbook" }],
    url: null,
    author: null,
    at: null,
    editedAt: null,
    fields: [{ name: "Owner", value: "Petra" }],
    blocks: [
      { type: "text", text: `# ${title}` },
      { type: "table", id: "belts", title: "Belts", isInline: true },
      { type: "absent", reason: "A block of another service stood here.", url: null },
      { type: "toggle", title: "Fold", blocks: [{ type: "file", file: scan }] },
      { type: "columns", columns: [{ share: 1, blocks: [{ type: "text", text: "Left" }] }] },
      {
        ...{ type: "inset", look: "box", icon: null, tint: { hue: "red", on: "ground" } },
        blocks: [{ type: "text", text: "Mind the belt" }],
      },
    ],
    files: [],
  });
  const pages: PagesView = {
    pageCount: 2,
    tableCount: 1,
    children: (parentId) => each(below[parentId ?? ""] ?? []),
    all: () => each(Object.values(below).flat()),
    page: async (id) => detail(id, id === "home" ? "Handbook" : "Night shift"),
    comments: async () => notes(note("Agreed")),
    comment: async () => null,
    table: async () => testTable(["Belt 1", "Belt 2"]),
    crumbsOfTable: async () => detail("belts", "Belts").crumbs,
    roleOf: () => null,
  };
  return { kind: "pages", id: "pages", label: "Pages", open: async () => pages };
}

export function tableView(titles: readonly string[]): View {
  return { kind: "table", id: "rows", label: "Rows", open: async () => testTable(titles) };
}

/** A tree with a README at its root. */
export function filesView(): View {
  const tree: FileTree = {
    obstacle: null,
    refs: [{ name: "refs/heads/main", label: "main", kind: "branch", isDefault: true, id: "abc" }],
    find: async () => ({ name: "", kind: "folder", isExecutable: false, id: "root" }),
    list: async () => [
      { name: "src", kind: "folder", isExecutable: false, id: "src" },
      { name: "README.md", kind: "file", isExecutable: false, id: "readme" },
    ],
    sizeOf: async () => 7,
    read: () => each([new TextEncoder().encode("# Hello")]),
    has: async () => true,
    history: () => each([{ id: "abc", parents: [], title: "Begin", author: "Nora", at: 1 }]),
  };
  return { kind: "files", id: "git", label: "Files", open: async () => tree };
}
