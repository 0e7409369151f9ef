import { commentCounts } from "./actions.ts";
import { COMMENT_LIMITS, cardLimits } from "./limits.ts";
import { inOrder } from "./positions.ts";
import { type Body, pick, slug, textData } from "./render.ts";
import { renderLabel } from "./render-board.ts";
import { MEMBER_FIELDS, renderMember } from "./render-members.ts";
import type {
  Action,
  Attachment,
  Board,
  Card,
  CheckItem,
  Checklist,
  Member,
  Sticker,
  TrelloWorld,
} from "./state.ts";

/** Shared data for rendering many cards of one board. */
export type CardView = {
  viewer: Member;
  fields?: string;
  comments: Map<string, number>;
  labels: Map<string, Body>;
};

/** Prepares the rendering of a board's cards. */
export function cardView(board: Board, viewer: Member, fields?: string): CardView {
  const labels = board.labels.map((label) => {
    const { uses, ...body } = renderLabel({ ...board, cards: [] }, label);
    return [label.id, body] as const;
  });
  return { viewer, fields, comments: commentCounts(board), labels: new Map(labels) };
}

/** A card without its parts. */
export function renderCard(world: TrelloWorld, board: Board, card: Card, view: CardView): Body {
  const items = card.checklists.flatMap(({ checkItems }) => checkItems);
  const isSubscribed = card.subscribers.includes(view.viewer.id);
  const full: Body = {
    id: card.id,
    address: card.address,
    badges: renderBadges(card, { items, isSubscribed, ...view }),
    checkItemStates: items
      .filter(({ state }) => state === "complete")
      .map(({ id }) => ({ idCheckItem: id, state: "complete" })),
    closed: card.isClosed,
    coordinates: card.coordinates,
    creationMethod: null,
    dateLastActivity: card.dateLastActivity,
    desc: card.desc,
    descData: textData(card.desc),
    due: card.due,
    dueComplete: card.dueComplete,
    dueReminder: card.dueReminder,
    email: null,
    idBoard: board.id,
    idChecklists: inOrder(card.checklists).map(({ id }) => id),
    idLabels: card.idLabels,
    idList: card.idList,
    idMembers: card.idMembers,
    idMembersVoted: card.membersVoted,
    idShort: card.idShort,
    idAttachmentCover: card.cover.idAttachment,
    labels: card.idLabels.flatMap((id) => view.labels.get(id) ?? []),
    limits: cardLimits(world.settings, {
      attachments: card.attachments.length,
      checklists: card.checklists.length,
      stickers: card.stickers.length,
    }),
    locationName: card.locationName,
    manualCoverAttachment: card.cover.idAttachment !== null,
    name: card.name,
    pos: card.pos,
    shortLink: card.shortLink,
    shortUrl: `${world.url}/c/${card.shortLink}`,
    staticMapUrl: null,
    start: card.start,
    subscribed: isSubscribed,
    url: `${world.url}/c/${card.shortLink}/${card.idShort}-${slug(card.name)}`,
    cover: { ...card.cover, idPlugin: null },
    isTemplate: card.isTemplate,
    cardRole: card.cardRole,
    mirrorSourceId: null,
  };
  return pick(world, full, view.fields, "all");
}

function renderBadges(
  card: Card,
  view: { items: CheckItem[]; isSubscribed: boolean; viewer: Member; comments: Map<string, number> },
): Body {
  const open = view.items.filter(({ state, due }) => state === "incomplete" && due !== null);
  return {
    attachmentsByType: { trello: { board: 0, card: 0 } },
    externalSource: null,
    location: card.coordinates !== null,
    votes: card.membersVoted.length,
    viewingMemberVoted: card.membersVoted.includes(view.viewer.id),
    subscribed: view.isSubscribed,
    fogbugz: "",
    checkItems: view.items.length,
    checkItemsChecked: view.items.filter(({ state }) => state === "complete").length,
    checkItemsEarliestDue: open.map(({ due }) => due).sort()[0] ?? null,
    comments: view.comments.get(card.id) ?? 0,
    attachments: card.attachments.length,
    description: card.desc !== "",
    due: card.due,
    dueComplete: card.dueComplete,
    start: card.start,
  };
}

/** A file or a link. A file's URL requires the Authorization header and redirects to the storage host. */
export function renderAttachment(
  world: TrelloWorld,
  card: Card,
  attachment: Attachment,
  fields?: string,
): Body {
  const { id, fileName, link } = attachment;
  const path = `/1/cards/${card.id}/attachments/${id}/download/${encodeURIComponent(fileName ?? "")}`;
  const full: Body = {
    id,
    bytes: attachment.bytes,
    date: attachment.date,
    edgeColor: attachment.edgeColor,
    idMember: attachment.idMember,
    isUpload: attachment.isUpload,
    mimeType: attachment.mimeType,
    name: attachment.name,
    previews: [],
    url: link ?? `${world.url}${path}`,
    pos: attachment.pos,
    ...(fileName === null ? {} : { fileName }),
  };
  return pick(world, full, fields, "all");
}

/** A sticker. */
export function renderSticker(world: TrelloWorld, sticker: Sticker): Body {
  return {
    ...sticker,
    imageUrl: `${world.storageUrl}/trello-stickers/${sticker.image}.png`,
    imageScaled: [],
  };
}

/** A checklist with its items. */
export function renderChecklist(board: Board, card: Card, checklist: Checklist): Body {
  return {
    id: checklist.id,
    name: checklist.name,
    idBoard: board.id,
    idCard: card.id,
    pos: checklist.pos,
    checkItems: inOrder(checklist.checkItems).map((item) => renderCheckItem(checklist, item)),
  };
}

/** An item of a checklist. */
export function renderCheckItem(checklist: Checklist, item: CheckItem): Body {
  return {
    id: item.id,
    name: item.name,
    nameData: textData(item.name),
    pos: item.pos,
    state: item.state,
    due: item.due,
    dueReminder: item.dueReminder,
    idMember: item.idMember,
    idChecklist: checklist.id,
  };
}

/** The values of custom fields on a card. */
export function renderFieldItems(card: Card): Body[] {
  return card.customFieldItems.map(({ id, idCustomField, value, idValue }) => ({
    id,
    ...(value === null ? {} : { value }),
    ...(idValue === null ? {} : { idValue }),
    idCustomField,
    idModel: card.id,
    modelType: "card",
  }));
}

/** The requested parts of an action. */
export type ActionView = {
  fields?: string;
  hasCreator: boolean;
  creatorFields?: string;
  hasReactions: boolean;
};

/** An entry of the history. */
export function renderAction(world: TrelloWorld, action: Action, view: ActionView): Body {
  const creator = world.state.members.find(({ id }) => id === action.idMemberCreator);
  const full: Body = {
    id: action.id,
    idMemberCreator: action.idMemberCreator,
    data: action.data,
    appCreator: null,
    type: action.type,
    date: action.date,
    limits: action.type === "commentCard" ? COMMENT_LIMITS : {},
  };
  const shown = pick(world, full, view.fields, "all");
  if (view.hasReactions)
    shown.reactions = action.reactions.map((reaction) => renderReaction(action, reaction));
  if (view.hasCreator && creator) {
    shown.memberCreator = renderMember(world, creator, {
      fields: view.creatorFields,
      standard: MEMBER_FIELDS,
    });
  }
  return shown;
}

/** An emoji reaction to a comment. */
export function renderReaction(action: Action, reaction: Action["reactions"][number]): Body {
  const { id, idMember, emoji } = reaction;
  const unified = (emoji.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return {
    id,
    idMember,
    idModel: action.id,
    idEmoji: unified,
    emoji: { unified, native: emoji, name: unified, shortName: unified, skinVariation: null },
  };
}
