import { paintPicture } from "#connectors/toolkit/simulator/paint-picture.ts";
import { addComment } from "./actions.ts";
import { attachFile, attachLink } from "./attachments.ts";
import { createLabel } from "./boards.ts";
import { createCard, editCard } from "./cards.ts";
import { createCheckItem, createChecklist } from "./checklists.ts";
import { createCustomField, setCustomFieldItem } from "./custom-fields.ts";
import { newId } from "./ids.ts";
import { createList } from "./lists.ts";
import type { Board, Card, CustomField, List, Member, TrelloWorld } from "./state.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const LABELS = [
  { name: "Customs", color: "orange" },
  { name: "Urgent", color: "red" },
  { name: "Maintenance", color: "purple" },
  { name: "Ferry", color: "sky" },
  { name: "Customer", color: "green" },
];

/** A card of the script. People are indexes in the crew; days count from the start of the simulator. */
type CardScript = {
  list: string;
  name: string;
  desc?: string;
  labels?: readonly string[];
  crew?: readonly number[];
  dueInDays?: number;
  isDone?: boolean;
  tonnes?: string;
  depot?: string;
  checklist?: { name: string; done: readonly string[]; open: readonly string[] };
  comments?: readonly (readonly [crew: number, text: string])[];
  cover?: "dusk" | "sea" | string;
  file?: { name: string; text: string };
  link?: { name: string; url: string };
  isArchived?: boolean;
};

const PICTURES = {
  dusk: { sky: [214, 132, 104], land: [58, 74, 92] },
  sea: { sky: [134, 186, 222], land: [40, 104, 138] },
} as const;

const CARDS: readonly CardScript[] = [
  {
    list: "Ideas",
    name: "Swap diesel for HVO on the Kiruna line",
    desc: "Two suppliers answered. **Nynäs** delivers to the depot, the other only to Luleå.",
    labels: ["Maintenance"],
    comments: [[1, "The engines are approved for it, I asked the workshop."]],
  },
  { list: "Ideas", name: "One shared calendar for both depots" },
  {
    list: "This week",
    name: "Book the Friday ferry Göteborg–Kiel",
    desc: "Four lorries, one of them refrigerated.\n\n- check the height of the trailer\n- drivers need cabins",
    labels: ["Ferry", "Urgent"],
    crew: [0, 1],
    dueInDays: 3,
    tonnes: "38.4",
    depot: "Göteborg",
    checklist: {
      name: "Before booking",
      done: ["Heights measured", "Drivers asked"],
      open: ["Cabins reserved", "Confirmation printed"],
    },
    comments: [
      [1, "The 19:00 crossing has room for three, the 21:30 for all four."],
      [0, "Then 21:30. Please book it today."],
    ],
    cover: "sea",
    file: { name: "crossing-times.txt", text: "19:00  3 lorries\n21:30  6 lorries\n" },
    link: { name: "Timetable", url: "https://ferries.example/timetable" },
  },
  {
    list: "This week",
    name: "T1 papers for the Oslo run",
    labels: ["Customs"],
    crew: [2],
    dueInDays: 2,
    checklist: { name: "Papers", done: ["CMR"], open: ["T1", "Insurance", "Weights signed"] },
    comments: [[2, "The customs office closes at four on Fridays."]],
  },
  {
    list: "This week",
    name: "Winter tyres, lorries 4 to 9",
    desc: "Workshop in Gällivare, two a day.",
    labels: ["Maintenance"],
    crew: [1],
    dueInDays: 9,
    depot: "Kiruna",
    checklist: {
      name: "Lorries",
      done: ["Lorry 4", "Lorry 5"],
      open: ["Lorry 6", "Lorry 7", "Lorry 8", "Lorry 9"],
    },
  },
  {
    list: "On the road",
    name: "Timber to Rostock",
    labels: ["Ferry", "Customer"],
    crew: [1],
    dueInDays: 1,
    tonnes: "24.75",
    depot: "Göteborg",
    comments: [
      [1, "Left at 05:40, roads are clear."],
      [0, "Customer wants a call an hour before arrival."],
    ],
    cover: "dusk",
    file: {
      name: "delivery-note-4471.txt",
      text: "Delivery note 4471\n62 m3 spruce, planed\nRostock, gate 3\n",
    },
  },
  {
    list: "On the road",
    name: "Refrigerated fish, Narvik–Stockholm",
    labels: ["Customer", "Urgent"],
    crew: [2],
    dueInDays: 0,
    tonnes: "17.9",
    depot: "Kiruna",
    comments: [[2, "Temperature log is in the cab, −1.5 °C the whole way."]],
  },
  {
    list: "Waiting at the border",
    name: "Machine parts from Gdańsk",
    desc: "Held for a missing stamp. Broker: *Baltic Clearing*, +46 8 555 01 23.",
    labels: ["Customs"],
    crew: [0, 2],
    dueInDays: -1,
    tonnes: "9.2",
    cover: "orange",
    comments: [
      [2, "Stamp promised for tomorrow morning."],
      [0, "If not, we turn it around via Karlskrona."],
      [2, "Turned around is two days. I stay on it."],
    ],
    checklist: { name: "Release", done: ["Broker called"], open: ["Stamp", "Release number"] },
  },
  {
    list: "Delivered",
    name: "Paper rolls to Hamburg",
    labels: ["Customer"],
    crew: [1],
    dueInDays: -6,
    isDone: true,
    tonnes: "26.0",
    comments: [[1, "Signed by the gate at 11:20, nothing damaged."]],
    file: { name: "proof-of-delivery.txt", text: "Received 26 rolls, no damage.\nHamburg, 11:20\n" },
  },
  {
    list: "Delivered",
    name: "Furniture for the Malmö store",
    labels: ["Customer"],
    crew: [0],
    dueInDays: -9,
    isDone: true,
    tonnes: "11.3",
    depot: "Göteborg",
  },
  { list: "Delivered", name: "Empty pallets back to Kiruna", dueInDays: -12, isDone: true, isArchived: true },
];

/** Fills the board that the demo shows first: a haulier's week. */
export function fillFleetBoard(
  world: TrelloWorld,
  board: Board,
  crew: readonly [Member, Member, Member],
): void {
  const [nora] = crew;
  const now = Date.now();
  let at = now - 21 * DAY_MS;
  const next = () => {
    at += 3 * HOUR_MS;
    return at;
  };
  const lists = new Map<string, List>();
  for (const name of ["Ideas", "This week", "On the road", "Waiting at the border", "Delivered"]) {
    lists.set(name, createList(world, board, nora, { name, place: "bottom", at: next() }));
  }
  const labels = new Map(
    LABELS.map((label) => [label.name, createLabel(world, board, { ...label, at: next() }).id]),
  );
  const tonnes = createCustomField(world, board, nora, { name: "Tonnes", type: "number", at: next() });
  const depot = createCustomField(world, board, nora, {
    name: "Depot",
    type: "list",
    options: [
      { text: "Kiruna", color: "blue" },
      { text: "Göteborg", color: "green" },
    ],
    at: next(),
  });
  for (const script of CARDS) {
    const card = createCard(world, board, nora, {
      list: lists.get(script.list) as List,
      name: script.name,
      desc: script.desc ?? "",
      at: next(),
    });
    editCard(world, board, nora, {
      card,
      idLabels: (script.labels ?? []).flatMap((name) => labels.get(name) ?? []),
      idMembers: (script.crew ?? []).flatMap((index) => crew[index]?.id ?? []),
      ...(script.dueInDays === undefined
        ? {}
        : {
            due: new Date(now + script.dueInDays * DAY_MS).toISOString(),
            dueComplete: script.isDone ?? false,
          }),
      at: next(),
    });
    fillCard(world, board, { script, card, crew, tonnes, depot, next });
  }
  world.save();
}

type Filling = {
  script: CardScript;
  card: Card;
  crew: readonly [Member, Member, Member];
  tonnes: CustomField;
  depot: CustomField;
  next: () => number;
};

function fillCard(world: TrelloWorld, board: Board, filling: Filling): void {
  const { script, card, crew, tonnes, depot, next } = filling;
  const [nora] = crew;
  if (script.tonnes !== undefined) {
    const asked = { value: { number: script.tonnes }, idValue: null };
    setCustomFieldItem(world, board, nora, { card, field: tonnes, asked, at: next() });
  }
  const option = depot.options.find(({ text }) => text === script.depot);
  if (option !== undefined) {
    const asked = { value: null, idValue: option.id };
    setCustomFieldItem(world, board, nora, { card, field: depot, asked, at: next() });
  }
  if (script.checklist !== undefined) {
    const { name, done, open } = script.checklist;
    const checklist = createChecklist(world, board, nora, { card, name, at: next() });
    const items = [
      ...done.map((item) => [item, "complete"] as const),
      ...open.map((item) => [item, "incomplete"] as const),
    ];
    for (const [item, state] of items) {
      const order = { card, checklist, name: item, state, due: null, idMember: null, at: next() };
      createCheckItem(world, board, order);
    }
  }
  const { cover, file, link } = script;
  if (cover === "dusk" || cover === "sea") {
    const bytes = paintPicture(PICTURES[cover]);
    const order = { card, name: `${cover}.png`, mimeType: "image/png", bytes, isCover: true, at: next() };
    const image = attachFile(world, board, nora, order);
    card.cover = { ...card.cover, idAttachment: image.id, size: "normal", brightness: "light" };
  } else if (cover !== undefined) card.cover = { ...card.cover, color: cover, size: "normal" };
  if (file !== undefined) {
    const bytes = new TextEncoder().encode(file.text);
    attachFile(world, board, nora, { card, name: file.name, mimeType: "text/plain", bytes, at: next() });
  }
  if (link !== undefined) attachLink(world, board, nora, { card, ...link, at: next() });
  for (const [index, text] of script.comments ?? []) {
    const by = crew[index] ?? nora;
    const comment = addComment(world, board, { card, by, text, at: next() });
    if (index === 0) comment.reactions.push({ id: newId(world.state), idMember: crew[1].id, emoji: "👍" });
  }
  if (script.isArchived) editCard(world, board, nora, { card, isClosed: true, at: next() });
}
