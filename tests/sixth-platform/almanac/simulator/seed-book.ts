import type { Block, Cell, Page, Register } from "../payloads.ts";
import { makeComment, makeFile, makePage, makeRegister, makeRow } from "./make.ts";
import { paintPicture } from "./paint-picture.ts";
import type { AlmanacWorld, StoredBook } from "./state.ts";

const NORA = "Nora Lindqvist";
const MATS = "Mats Ek";
const FIRST_DAY = Date.UTC(2026, 8, 1, 8);
const DAY_MS = 86_400_000;

const dayOf = (day: number) => new Date(FIRST_DAY + day * DAY_MS).toISOString().slice(0, 10);
const momentOf = (day: number) => new Date(FIRST_DAY + day * DAY_MS).toISOString();

/** One of everything: pages below pages, registers with rows, files, pictures, comments with answers. */
export function fillBook(world: AlmanacWorld, book: StoredBook): void {
  const welcome = seedWelcome(world, book);
  const berths = seedBerths(world, book);
  seedRows(world, book, berths);
  const duties = seedDuties(world, book, welcome);
  seedTalk(world, book, { welcome, duties });
}

function pageOf(
  world: AlmanacWorld,
  book: StoredBook,
  order: Pick<Page, "title"> &
    Partial<Pick<Page, "parentId" | "icon" | "isArchived" | "properties" | "blocks">> & {
      day: number;
      fileIds?: string[];
    },
): Page {
  const { day, ...own } = order;
  const usual = { parentId: null, icon: null, isArchived: false, properties: [], blocks: [], fileIds: [] };
  return makePage(world, book, { ...usual, ...own, slot: null, author: NORA, at: momentOf(day) });
}

function seedWelcome(world: AlmanacWorld, book: StoredBook): Page {
  const picture = makeFile(
    world,
    book,
    "harbour.png",
    paintPicture({ width: 320, height: 180 }, [0x2a6f97, 0xa9d6e5]),
  );
  const rules = makeFile(
    world,
    book,
    "Rules of the quay.txt",
    new TextEncoder().encode("Keep the quay clear.\n"),
  );
  const welcome = pageOf(world, book, {
    ...{ title: "Welcome aboard", icon: "⚓", day: 0, fileIds: [picture.id, rules.id] },
    properties: [
      { name: "Owner", value: NORA },
      { name: "Reviewed", value: "2 September 2026" },
    ],
    blocks: [
      {
        type: "text",
        text: "# The harbour in a page\n\nWho works **here** begins here. Read on:\n\n- the quay\n- the cranes\n- [ ] the keys",
      },
      { type: "file", fileId: picture.id },
      { type: "embed", url: "https://maps.example/harbour" },
      { type: "box", sign: "⚠️", text: "The **north** crane stops in strong wind." },
      { type: "fold", title: "## If the power fails", text: "The diesel starts after 11 seconds." },
      { type: "beside", texts: ["In the morning: the *gate*.", "In the evening: the lamps."] },
    ] satisfies Block[],
  });
  const quay = pageOf(world, book, {
    ...{ title: "The quay", parentId: welcome.id, icon: "🚢", day: 1 },
    blocks: [{ type: "text", text: "| Berth | Depth |\n| --- | --- |\n| North | 9 m |\n| South | 12 m |" }],
  });
  pageOf(world, book, {
    ...{ title: "Ropes & fenders", parentId: quay.id, day: 2 },
    blocks: [{ type: "text", text: "Ropes are changed every spring." }],
  });
  pageOf(world, book, { title: "Old timetable", parentId: welcome.id, isArchived: true, day: 3 });
  pageOf(world, book, { title: "", day: 4, blocks: [{ type: "text", text: "A page without a title." }] });
  return welcome;
}

function seedBerths(world: AlmanacWorld, book: StoredBook): Register {
  const column = (
    id: string,
    name: string,
    type: Register["columns"][number]["type"],
    unit: string | null = null,
  ) => ({
    ...{ id, name, type, unit },
  });
  const columns = [
    column("state", "State", "tags"),
    column("depth", "Depth", "number", "m"),
    column("from", "Booked", "date"),
    column("paid", "Paid", "check"),
    column("captain", "Captain", "text"),
    column("photo", "Photo", "files"),
    column("next", "Next to", "rows"),
  ];
  const all = columns.map(({ id }) => id);
  const layout = (id: string, label: string, type: Register["layouts"][number]["type"], more = {}) => ({
    ...{ id, label, type, columns: all, cover: null, date: null, group: null },
    ...more,
  });
  return makeRegister(world, book, {
    ...{ title: "Berths", icon: "🧭", text: "Every berth, and who has it.", isArchived: false },
    ...{ parentId: null, slot: null, columns },
    layouts: [
      layout("table", "Everything", "table"),
      layout("list", "At a glance", "list", { columns: ["state", "captain"] }),
      layout("gallery", "Photos", "gallery", { columns: ["state", "depth"], cover: "photo" }),
      layout("calendar", "Bookings", "calendar", { columns: ["state"], date: "from" }),
      layout("board", "By state", "board", { columns: ["captain", "depth"], group: "state" }),
    ],
  });
}

const STATES = [
  { name: "Free", colour: "green" },
  { name: "Taken", colour: "orange" },
  { name: "In repair", colour: "red" },
];
const BERTHS = ["North 1", "North 2", "South 1", "South 2", "Pier A", "Pier B", "Pier C", "Guest"];

function seedRows(world: AlmanacWorld, book: StoredBook, { id: registerId }: Register): void {
  let before: string | null = null;
  for (const [at, title] of BERTHS.entries()) {
    const state = STATES[at % STATES.length]!;
    const colours: [number, number] = [0x335c67 + at * 0x0a0f00, 0xfff3b0];
    const photo =
      at % 2 === 0
        ? makeFile(world, book, `${title}.png`, paintPicture({ width: 200, height: 120 }, colours))
        : null;
    const cells: Record<string, Cell> = {
      state: { type: "tags", tags: [state] },
      depth: { type: "number", value: 6 + at * 0.5 },
      from: { type: "date", from: dayOf(70 + at * 3), until: at === 1 ? dayOf(75) : null },
      paid: { type: "check", isOn: at % 3 === 0 },
      ...(at === 7 ? {} : { captain: { type: "text", text: at % 2 === 0 ? "Ida Holm" : "Ola Berg" } }),
      ...(photo === null ? {} : { photo: { type: "files", fileIds: [photo.id] } }),
      ...(before === null ? {} : { next: { type: "rows", rowIds: [`${registerId}.${before}`] } }),
    };
    const blocks: Block[] = at === 0 ? [{ type: "text", text: "The *oldest* berth of the harbour." }] : [];
    const own = { title, cells, blocks, isArchived: at === 7, fileIds: photo === null ? [] : [photo.id] };
    before = makeRow(world, book, { registerId, ...own, author: MATS, at: momentOf(at) }).id;
  }
}

function seedDuties(world: AlmanacWorld, book: StoredBook, { id: parentId }: Page): Register {
  const columns = [{ id: "who", name: "Who", type: "text" as const, unit: null }];
  const facts = { title: "Duties", icon: null, text: "", isArchived: false, columns, layouts: [] };
  const duties = makeRegister(world, book, { ...facts, parentId, slot: null });
  for (const title of ["Open the gate", "Feed the cat"]) {
    const cells: Record<string, Cell> = { who: { type: "text", text: NORA } };
    const own = { title, cells, blocks: [], fileIds: [], isArchived: false, author: NORA };
    makeRow(world, book, { registerId: duties.id, ...own, at: momentOf(6) });
  }
  return duties;
}

function seedTalk(
  world: AlmanacWorld,
  book: StoredBook,
  { welcome, duties }: { welcome: Page; duties: Register },
): void {
  const onPage = { pageId: welcome.id, rowId: null, registerId: null };
  const first = makeComment(world, book, {
    ...{ on: onPage, author: MATS, at: momentOf(8), text: "Is the **north** gate open? @nora-lindqvist" },
    reactions: [{ sign: "👍", count: 2 }],
  });
  const answer = { answers: first.id, author: NORA, at: momentOf(9) };
  makeComment(world, book, { on: onPage, ...answer, text: "Since six." });
  makeComment(world, book, { on: onPage, author: null, at: momentOf(10), text: "Thanks." });
  const row = book.rows.find(({ registerId }) => registerId === duties.id);
  const onRow = { pageId: null, rowId: row?.id ?? null, registerId: duties.id };
  makeComment(world, book, { on: onRow, author: MATS, at: momentOf(11), text: "The key hangs at the door." });
  const berth = book.rows.find(({ registerId }) => registerId !== duties.id);
  const onBerth = { pageId: null, rowId: berth?.id ?? null, registerId: berth?.registerId ?? null };
  makeComment(world, book, { on: onBerth, author: NORA, at: momentOf(12), text: "Repainted." });
}
