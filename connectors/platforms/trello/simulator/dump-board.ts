import { createHash } from "node:crypto";
import { inOrder } from "./positions.ts";
import type { Action, Board, Card, TrelloWorld } from "./state.ts";
import { organizationOf } from "./store.ts";

/**
 * A board without ids, creation dates and URLs: equal for a board and its copy. Positions become order, labels become
 * names, members become usernames, files become hashes.
 */
export type BoardDump = ReturnType<typeof dumpBoard>;

/** Dumps a board for comparison. */
export function dumpBoard(world: TrelloWorld, board: Board) {
  const person = (id: string | null) =>
    world.state.members.find((member) => member.id === id)?.username ?? null;
  const comments = Map.groupBy(
    board.actions.filter(({ type }) => type === "commentCard"),
    ({ idCard }) => idCard,
  );
  return {
    name: board.name,
    desc: board.desc,
    isClosed: board.isClosed,
    organization: organizationOf(world, board)?.name ?? null,
    prefs: board.prefs,
    labelNames: board.labelNames,
    members: board.memberships.map(({ idMember, memberType }) => ({
      username: person(idMember),
      memberType,
    })),
    labels: board.labels.map(({ name, color }) => ({ name, color })),
    customFields: inOrder(board.customFields).map((field) => ({
      name: field.name,
      type: field.type,
      isOnFront: field.isOnFront,
      options: inOrder(field.options).map(({ text, color }) => ({ text, color })),
    })),
    lists: inOrder(board.lists).map((list) => ({
      name: list.name,
      isClosed: list.isClosed,
      cards: inOrder(board.cards)
        .filter(({ idList }) => idList === list.id)
        .map((card) => dumpCard(board, card, { person, comments: comments.get(card.id) ?? [] })),
    })),
    pluginData: board.pluginData.map(({ idPlugin, value }) => ({ idPlugin, value })),
  };
}

function dumpCard(
  board: Board,
  card: Card,
  { person, comments }: { person: (id: string | null) => string | null; comments: Action[] },
) {
  const fileName = (id: string | null) => card.attachments.find((own) => own.id === id)?.name ?? null;
  const { idAttachment, ...cover } = card.cover;
  return {
    name: card.name,
    desc: card.desc,
    isClosed: card.isClosed,
    due: card.due,
    dueReminder: card.dueReminder,
    dueComplete: card.dueComplete,
    start: card.start,
    address: card.address,
    locationName: card.locationName,
    coordinates: card.coordinates,
    cardRole: card.cardRole,
    isTemplate: card.isTemplate,
    labels: board.labels
      .filter(({ id }) => card.idLabels.includes(id))
      .map(({ name, color }) => ({ name, color })),
    members: card.idMembers.map(person),
    votes: card.membersVoted.map(person),
    cover: { ...cover, attachment: fileName(idAttachment) },
    checklists: inOrder(card.checklists).map(({ name, checkItems }) => ({
      name,
      items: inOrder(checkItems).map((item) => ({
        name: item.name,
        state: item.state,
        due: item.due,
        dueReminder: item.dueReminder,
        member: person(item.idMember),
      })),
    })),
    fields: inOrder(board.customFields).flatMap((field) => {
      const item = card.customFieldItems.find(({ idCustomField }) => idCustomField === field.id);
      if (!item) return [];
      const option = field.options.find(({ id }) => id === item.idValue);
      return [{ name: field.name, value: item.value, option: option?.text ?? null }];
    }),
    attachments: inOrder(card.attachments).map(({ name, mimeType, bytes, sha256, isUpload, link }) => ({
      ...{ name, mimeType, bytes, sha256, isUpload, link },
    })),
    stickers: card.stickers.map(({ image, top, left, zIndex, rotate }) => ({
      image,
      top,
      left,
      zIndex,
      rotate,
    })),
    comments: comments.map((action) => ({
      author: person(action.idMemberCreator),
      date: action.date,
      text: String(action.data.text),
    })),
    pluginData: card.pluginData.map(({ idPlugin, value }) => ({ idPlugin, value })),
  };
}

/** Counts of each kind, archived ones included, and a hash of the dump. */
export function fingerprintBoard(world: TrelloWorld, board: Board) {
  const sum = (count: (card: Card) => number) => board.cards.reduce((total, card) => total + count(card), 0);
  return {
    hash: createHash("sha256")
      .update(JSON.stringify(dumpBoard(world, board)))
      .digest("hex"),
    counts: {
      lists: board.lists.length,
      labels: board.labels.length,
      customFields: board.customFields.length,
      members: board.memberships.length,
      cards: board.cards.length,
      archivedCards: board.cards.filter(({ isClosed }) => isClosed).length,
      checklists: sum(({ checklists }) => checklists.length),
      checkItems: sum(({ checklists }) => checklists.flatMap(({ checkItems }) => checkItems).length),
      attachments: sum(({ attachments }) => attachments.length),
      attachmentBytes: sum(({ attachments }) =>
        attachments.reduce((bytes, own) => bytes + (own.bytes ?? 0), 0),
      ),
      stickers: sum(({ stickers }) => stickers.length),
      fieldValues: sum(({ customFieldItems }) => customFieldItems.length),
      comments: board.actions.filter(({ type }) => type === "commentCard").length,
      actions: board.actions.length,
    },
  };
}
