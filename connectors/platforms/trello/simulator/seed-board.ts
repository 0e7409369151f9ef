import { createNoise } from "#connectors/toolkit/simulator/history-script.ts";
import { noisyBytes } from "#connectors/toolkit/simulator/seed-prose.ts";
import { addComment, editComment } from "./actions.ts";
import { attachFile, attachLink } from "./attachments.ts";
import { createLabel } from "./boards.ts";
import { createCard, editCard, moveCard, setVote } from "./cards.ts";
import { createCheckItem, createChecklist } from "./checklists.ts";
import { createCustomField, setCustomFieldItem } from "./custom-fields.ts";
import { newId } from "./ids.ts";
import { createList, editList } from "./lists.ts";
import type { Board, Card, CustomField, Label, List, Member, TrelloWorld } from "./state.ts";

const HOUR_MS = 3_600_000;
/** A transparent pixel. */
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
/** Names that break code which expects tidy names. */
const UGLY_NAMES = [
  "  leading spaces and a tab\t",
  '<script>alert("card")</script>',
  "../../etc/passwd",
  "Ünïcödé – “quotes” & amps; 100% #1?",
  "نقل البضائع إلى الميناء",
  "👩‍👩‍👧‍👦 family lorry 🚛",
  "CON",
  "line one\nline two",
  `very long ${"ferry ".repeat(80)}end`,
  '=HYPERLINK("http://localhost")',
];

type Setting = {
  by: Member;
  /** Members who comment and are on cards, in this order. */
  crew: readonly Member[];
  /** Whether the workspace's plan has custom fields. */
  isPaid: boolean;
};

/** Fills a board with one of everything, with odd names. */
export function fillBoard(world: TrelloWorld, board: Board, setting: Setting): void {
  const { by } = setting;
  let at = Date.parse(board.dateLastActivity) + HOUR_MS;
  const next = () => {
    at += HOUR_MS;
    return at;
  };
  const lists = ["Backlog", "On the road", "Waiting at the border", "Delivered"].map((name) =>
    createList(world, board, by, { name, place: "bottom", at: next() }),
  ) as [List, List, List, List];
  const labels = [
    { name: "urgent", color: "red" },
    { name: "", color: "green" },
    { name: "no colour", color: null },
    { name: "urgent", color: "sky_light" },
    { name: "ночь", color: "black_dark" },
  ].map((label) => createLabel(world, board, { ...label, at: next() }));
  const fields = setting.isPaid ? seedFields(world, board, by, next()) : [];
  const cards = UGLY_NAMES.map((name, index) => {
    const list = lists[index % 3] as List;
    return createCard(world, board, by, {
      list,
      name,
      desc: index % 2 === 0 ? `About **${index}**.\n\n- one\n- two` : "",
      at: next(),
    });
  });
  seedFirstCard(world, board, { ...setting, card: cards[0] as Card, labels, fields, next });
  seedOtherCards(world, board, { ...setting, cards, lists, fields, next });
  board.pluginData.push({
    id: newId(world.state, at),
    idPlugin: "5e40446acc3ae64e435cabc9",
    value: '{"theme":"night","depots":["Kiruna","Göteborg"]}',
    access: "shared",
  });
  world.save();
}

type FirstCard = Setting & { card: Card; next: () => number };

/** Fills the card that has everything. */
function seedFirstCard(
  world: TrelloWorld,
  board: Board,
  setting: FirstCard & { labels: Label[]; fields: CustomField[] },
): void {
  const { by, card, crew, labels, fields, next } = setting;
  editCard(world, board, by, {
    card,
    due: "2026-12-01T08:00:00.000Z",
    dueReminder: 1440,
    start: "2026-11-20T08:00:00.000Z",
    idLabels: labels.slice(0, 3).map(({ id }) => id),
    idMembers: crew.slice(0, 2).map(({ id }) => id),
    address: "Skeppsbron 1, Göteborg",
    locationName: "Quay 7",
    coordinates: { latitude: 57.7065, longitude: 11.9646 },
    at: next(),
  });
  attachFiles(world, board, setting);
  addChecklists(world, board, setting);
  for (const [index, image] of ["thumbsup", "taco-cool"].entries()) {
    const place = { top: 10.5, left: -12.25 + index * 40, zIndex: index + 1, rotate: index * 15 };
    card.stickers.push({ id: newId(world.state, next()), image, ...place });
  }
  for (const field of fields) {
    const asked = valueFor(field);
    setCustomFieldItem(world, board, by, { card, field, asked, at: next() });
  }
  writeComments(world, board, setting);
  setVote(world, board, by, { card, hasVoted: true, at: next() });
  card.subscribers.push(by.id);
  card.pluginData.push({
    id: newId(world.state),
    idPlugin: "5e40446acc3ae64e435cabc9",
    value: '{"stars":4,"note":"fragile"}',
    access: "shared",
  });
}

/** A picture as cover, two files of one name, an empty file and a link. */
function attachFiles(world: TrelloWorld, board: Board, { by, card, next }: FirstCard): void {
  const image = attachFile(world, board, by, {
    card,
    name: "Ångström (1) 100% #1.png",
    mimeType: "image/png",
    bytes: PIXEL,
    isCover: true,
    at: next(),
  });
  card.cover = { ...card.cover, idAttachment: image.id, size: "full", brightness: "dark" };
  const bytes = noisyBytes(createNoise(board.lastIdShort), 40_000);
  for (const name of ["cmr/scan?.bin", "cmr/scan?.bin"]) {
    attachFile(world, board, by, { card, name, mimeType: "application/octet-stream", bytes, at: next() });
  }
  attachFile(world, board, by, {
    card,
    name: "empty.txt",
    mimeType: "text/plain",
    bytes: new Uint8Array(),
    at: next(),
  });
  attachLink(world, board, by, {
    card,
    name: "Timetable",
    url: "https://ferries.example/timetable?a=1&b=2",
    at: next(),
  });
}

function addChecklists(world: TrelloWorld, board: Board, { by, card, next }: FirstCard): void {
  const papers = createChecklist(world, board, by, { card, name: "Papers ✓", at: next() });
  for (const [index, name] of ["CMR", "**T1**", "Insurance\nand more", "Passport 🛂"].entries()) {
    createCheckItem(world, board, {
      card,
      checklist: papers,
      name,
      state: index % 2 === 0 ? "complete" : "incomplete",
      due: index === 1 ? "2026-11-30T12:00:00.000Z" : null,
      idMember: index === 1 ? by.id : null,
      at: next(),
    });
  }
  createChecklist(world, board, by, { card, name: "Nothing in it", at: next() });
}

/** Comments of everyone, one with a reaction, one edited, one by a person who left. */
function writeComments(world: TrelloWorld, board: Board, { by, crew, card, next }: FirstCard): void {
  for (const [index, member] of [...crew, ...crew].entries()) {
    const comment = addComment(world, board, {
      card,
      by: member,
      text: `Comment ${index + 1} by ${member.fullName}\n\n> quoted\n\n@${by.username} \`code\` 🚢`,
      at: next(),
    });
    if (index === 0) comment.reactions.push({ id: newId(world.state), idMember: by.id, emoji: "👍" });
    if (index === 1) editComment(comment, `${comment.data.text} (edited)`, next());
  }
  const gone = world.state.members.find(
    ({ id }) => !board.memberships.some(({ idMember }) => idMember === id),
  );
  // People who left the board remain the authors of their comments.
  if (gone) addComment(world, board, { card, by: gone, text: "I am leaving this board.", at: next() });
}

/** Covers without a picture, archived cards and lists, a card with a role, a template, moves. */
function seedOtherCards(
  world: TrelloWorld,
  board: Board,
  setting: Setting & {
    cards: Card[];
    lists: [List, List, List, List];
    fields: CustomField[];
    next: () => number;
  },
): void {
  const { by, crew, cards, lists, fields, next } = setting;
  const [, second, third, fourth, fifth, sixth, seventh, eighth] = cards as [
    ...[Card, Card, Card, Card, Card, Card, Card, Card],
  ];
  second.cover = { ...second.cover, color: "pink", size: "full", brightness: "dark" };
  editCard(world, board, by, { card: third, dueComplete: true, due: "2025-02-28T23:59:59.000Z", at: next() });
  editCard(world, board, by, { card: fourth, isClosed: true, at: next() });
  editCard(world, board, by, { card: fifth, cardRole: "separator", at: next() });
  editCard(world, board, by, { card: sixth, isTemplate: true, at: next() });
  const old = lists[3];
  moveCard(world, board, by, { card: seventh, board, list: old, at: next() });
  addComment(world, board, { card: seventh, by: crew.at(-1) ?? by, text: "Delivered.", at: next() });
  // The archived list still has open cards.
  editList(world, board, by, { list: old, isClosed: true, at: next() });
  const number = fields.find(({ type }) => type === "number");
  if (number) {
    const asked = { value: { number: "-12.50" }, idValue: null };
    setCustomFieldItem(world, board, by, { card: eighth, field: number, asked, at: next() });
  }
}

function seedFields(world: TrelloWorld, board: Board, by: Member, at: number): CustomField[] {
  return [
    { name: "Tonnes", type: "number" as const },
    { name: "Note to driver", type: "text" as const, isOnFront: false },
    { name: "Crossing", type: "date" as const },
    { name: "ADR?", type: "checkbox" as const },
    {
      name: "Depot",
      type: "list" as const,
      options: [
        { text: "Kiruna", color: "blue" },
        { text: "Göteborg", color: "none" },
        { text: "Åbo – Turku", color: "red" },
      ],
    },
  ].map((field) => createCustomField(world, board, by, { ...field, at }));
}

function valueFor(field: CustomField) {
  switch (field.type) {
    case "number":
      return { value: { number: "24.75" }, idValue: null };
    case "text":
      return { value: { text: "Ring twice, “gently”" }, idValue: null };
    case "date":
      return { value: { date: "2026-11-24T06:15:00.000Z" }, idValue: null };
    case "checkbox":
      return { value: { checked: "true" }, idValue: null };
    case "list":
      return { value: null, idValue: field.options[1]?.id ?? null };
  }
}
