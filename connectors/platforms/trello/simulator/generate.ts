import { createNoise } from "#connectors/toolkit/simulator/history-script.ts";
import { noisyBytes } from "#connectors/toolkit/simulator/seed-prose.ts";
import { addComment } from "./actions.ts";
import { attachFile } from "./attachments.ts";
import { createLabel, LABEL_COLORS } from "./boards.ts";
import { createCard } from "./cards.ts";
import { createCheckItem, createChecklist } from "./checklists.ts";
import { createCustomField, setCustomFieldItem } from "./custom-fields.ts";
import { createList } from "./lists.ts";
import type { Board, Card, List, Member, TrelloWorld } from "./state.ts";
import { isPaid, organizationOf } from "./store.ts";

/** How many of each to generate on the board; `items` are per checklist. */
export type GenerateOrder = {
  lists: number;
  labels: number;
  cards: number;
  archivedCards: number;
  comments: number;
  checklists: number;
  items: number;
  attachments: number;
  attachmentBytes: number;
  customFields: number;
};

const SENTENCE = "The crane at the eastern quay stops when the wind turns, and nobody knows why. ";
const MINUTE_MS = 60_000;

/**
 * Fills a board with large sets. Everything happens one after another, after the existing content. Three comments share
 * each timestamp, so a client that pages only by date loses some.
 */
export function generate(world: TrelloWorld, board: Board, by: Member, order: GenerateOrder): Card[] {
  const steps =
    order.lists + order.labels + order.cards * 2 + order.comments + order.checklists * 2 + order.attachments;
  const begin = Date.parse(board.dateLastActivity);
  const step = Math.max(0, Math.min(MINUTE_MS, Math.floor((Date.now() - begin) / (steps + 10))));
  let at = begin;
  const next = () => {
    at += step;
    return at;
  };
  const noise = createNoise(order.cards + order.attachments + 1);
  for (let index = 0; index < order.lists; index += 1) {
    createList(world, board, by, { name: `List ${board.lists.length + 1}`, place: "bottom", at: next() });
  }
  for (let index = 0; index < order.labels; index += 1) {
    const color = LABEL_COLORS[index % LABEL_COLORS.length] ?? null;
    createLabel(world, board, { name: `label ${board.labels.length + 1}`, color, at: next() });
  }
  if (board.lists.length === 0) createList(world, board, by, { name: "List 1", at: next() });
  const cards = addCards(world, board, by, { order, next });
  if (cards.length === 0) return [];
  const cardAt = (index: number) => cards[index % cards.length] as Card;
  for (let index = 0; index < order.comments; index += 1) {
    const moment = index % 3 === 0 ? next() : at;
    addComment(world, board, {
      card: cardAt(index),
      by,
      text: `Comment ${index + 1}. ${SENTENCE}`,
      at: moment,
    });
  }
  for (let index = 0; index < order.checklists; index += 1) {
    const card = cardAt(index);
    const checklist = createChecklist(world, board, by, { card, name: `Checklist ${index + 1}`, at: next() });
    for (let item = 0; item < order.items; item += 1) {
      const state = item % 2 === 0 ? "complete" : "incomplete";
      createCheckItem(world, board, { card, checklist, name: `Item ${item + 1}`, state, at });
    }
  }
  for (let index = 0; index < order.attachments; index += 1) {
    const bytes = noisyBytes(noise, Math.ceil(order.attachmentBytes / 4) * 4).slice(0, order.attachmentBytes);
    const name = `scan ${index + 1}.bin`;
    attachFile(world, board, by, {
      card: cardAt(index),
      name,
      mimeType: "application/octet-stream",
      bytes,
      at: next(),
    });
  }
  return cards;
}

function addCards(
  world: TrelloWorld,
  board: Board,
  by: Member,
  { order, next }: { order: GenerateOrder; next: () => number },
): Card[] {
  const open = board.lists.filter(({ isClosed }) => !isClosed);
  // Positions are counted here, because searching for the last one each time is slow on large boards.
  let pos = board.cards.reduce((last, card) => Math.max(last, card.pos), 0);
  const cards = Array.from({ length: order.cards + order.archivedCards }, (_, index) => {
    pos += 65_536;
    const label = board.labels[index % Math.max(1, board.labels.length)];
    const card = createCard(world, board, by, {
      list: open[index % open.length] as List,
      place: pos,
      name: `Card number ${board.lastIdShort + 1} about the crane`,
      desc: SENTENCE.repeat(1 + (index % 5)),
      due: index % 4 === 0 ? "2026-12-24T12:00:00.000Z" : null,
      idLabels: label ? [label.id] : [],
      at: next(),
    });
    if (index >= order.cards) card.isClosed = true;
    return card;
  });
  if (!isPaid(organizationOf(world, board))) return cards;
  for (let index = 0; index < order.customFields; index += 1) {
    const name = `Field ${board.customFields.length + 1}`;
    const field = createCustomField(world, board, by, { name, type: "text", at: next() });
    const card = cards[index % Math.max(1, cards.length)];
    const asked = { value: { text: `Value ${index + 1}` }, idValue: null };
    if (card) setCustomFieldItem(world, board, by, { card, field, asked, at: next() });
  }
  return cards;
}
