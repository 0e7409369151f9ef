import { addAction } from "./actions.ts";
import { newId, newShortLink, timestamp } from "./ids.ts";
import { createList } from "./lists.ts";
import { tooMany } from "./refused.ts";
import type { Board, BoardPrefs, Label, Member, MemberType, Organization, TrelloWorld } from "./state.ts";
import { forgetBoard, indexBoard, isPaid } from "./store.ts";

/** Colours of labels and covers; each also exists in a light and a dark shade. */
export const COLORS = [
  ...["green", "yellow", "orange", "red", "purple", "blue", "sky", "lime", "pink", "black"],
];
/** All colours of labels. */
export const LABEL_COLORS: readonly string[] = COLORS.flatMap((color) => [
  color,
  `${color}_light`,
  `${color}_dark`,
]);

/** Stock backgrounds with their colours. */
export const BACKGROUNDS: Record<string, string> = {
  blue: "#0079BF",
  orange: "#D29034",
  green: "#519839",
  red: "#B04632",
  purple: "#89609E",
  pink: "#CD5A91",
  lime: "#4BBF6B",
  sky: "#00AECC",
  grey: "#838C91",
};

/** Default preferences of a board. */
export const DEFAULT_PREFS: BoardPrefs = {
  permissionLevel: "private",
  hideVotes: false,
  voting: "disabled",
  comments: "members",
  invitations: "members",
  selfJoin: true,
  cardCovers: true,
  isTemplate: false,
  cardAging: "regular",
  calendarFeedEnabled: false,
  background: "blue",
};

/** Creates a board; its creator is its admin. Adds default lists and labels unless switched off. */
export function createBoard(
  world: TrelloWorld,
  by: Member,
  order: {
    name: string;
    desc?: string;
    organization?: Organization | null;
    prefs?: Partial<BoardPrefs>;
    hasDefaultLists?: boolean;
    hasDefaultLabels?: boolean;
    at?: number;
  },
): Board {
  const { state, settings } = world;
  const organization = order.organization ?? null;
  if (organization && !isPaid(organization)) {
    const open = state.boards.filter(
      (board) => board.idOrganization === organization.id && !board.isClosed,
    ).length;
    if (open >= settings.freeBoardLimit) throw tooMany("boards.openPerOrg");
  }
  const at = order.at ?? Date.now();
  const board: Board = {
    id: newId(state, at),
    shortLink: newShortLink(),
    name: order.name,
    desc: order.desc ?? "",
    isClosed: false,
    dateClosed: null,
    idOrganization: organization?.id ?? null,
    idMemberCreator: by.id,
    prefs: { ...DEFAULT_PREFS, ...order.prefs },
    memberships: [{ id: newId(state, at), idMember: by.id, memberType: "admin", isDeactivated: false }],
    labelNames: Object.fromEntries(COLORS.map((color) => [color, ""])),
    labels: [],
    lists: [],
    cards: [],
    customFields: [],
    actions: [],
    pluginData: [],
    plugins: [],
    starredBy: [],
    lastIdShort: 0,
    dateLastActivity: timestamp(at),
  };
  state.boards.push(board);
  indexBoard(world.index, board);
  addAction(world, board, { type: "createBoard", by, at });
  if (organization) {
    const data = { organization: { id: organization.id, name: organization.displayName } };
    addAction(world, board, { type: "addToOrganizationBoard", by, at, data });
  }
  if (order.hasDefaultLists !== false) {
    for (const name of ["To Do", "Doing", "Done"])
      createList(world, board, by, { name, place: "bottom", at });
  }
  if (order.hasDefaultLabels !== false) {
    for (const color of COLORS.slice(0, 6)) createLabel(world, board, { name: "", color, at });
  }
  world.save();
  return board;
}

/** The editable fields of a board. */
export type BoardChange = {
  name?: string;
  desc?: string;
  isClosed?: boolean;
  prefs?: Partial<BoardPrefs>;
};

/** Changes a board and records the previous values in its history. */
export function editBoard(world: TrelloWorld, board: Board, by: Member, change: BoardChange): void {
  const { prefs, isClosed, ...rest } = change;
  for (const [field, value] of Object.entries(rest) as ["name" | "desc", string | undefined][]) {
    if (value === undefined || value === board[field]) continue;
    const old = { [field]: board[field] };
    board[field] = value;
    addAction(world, board, { type: "updateBoard", by, data: { old } });
  }
  if (isClosed !== undefined && isClosed !== board.isClosed) {
    board.isClosed = isClosed;
    board.dateClosed = isClosed ? timestamp() : null;
    addAction(world, board, { type: "updateBoard", by, data: { old: { closed: !isClosed } } });
  }
  if (prefs && Object.keys(prefs).length > 0) {
    const names = Object.keys(prefs) as (keyof BoardPrefs)[];
    const old = { prefs: Object.fromEntries(names.map((name) => [name, board.prefs[name]])) };
    Object.assign(board.prefs, prefs);
    addAction(world, board, { type: "updateBoard", by, data: { old } });
  }
  world.save();
}

/** Deletes a board permanently. */
export function deleteBoard(world: TrelloWorld, board: Board): void {
  forgetBoard(world.index, board);
  world.state.boards = world.state.boards.filter((known) => known !== board);
  world.save();
}

/** Adds a member to a board, changes their `memberType`, or removes them when it is null. */
export function setBoardMember(
  world: TrelloWorld,
  board: Board,
  by: Member,
  order: { member: Member; memberType: MemberType | null; at?: number },
): void {
  const own = board.memberships.find(({ idMember }) => idMember === order.member.id);
  const data = { idMemberAdded: order.member.id, memberType: order.memberType };
  if (order.memberType === null) {
    board.memberships = board.memberships.filter((membership) => membership !== own);
    // Leaving a board also removes the member from its cards.
    for (const card of board.cards) card.idMembers = card.idMembers.filter((id) => id !== order.member.id);
    if (own) addAction(world, board, { type: "removeMemberFromBoard", by, at: order.at, data });
  } else if (own) {
    own.memberType = order.memberType;
    addAction(world, board, { type: "makeNormalMemberOfBoard", by, at: order.at, data });
  } else {
    const id = newId(world.state, order.at);
    board.memberships.push({
      id,
      idMember: order.member.id,
      memberType: order.memberType,
      isDeactivated: false,
    });
    addAction(world, board, { type: "addMemberToBoard", by, at: order.at, data });
  }
  world.save();
}

/** Creates a label; names need not be unique. */
export function createLabel(
  world: TrelloWorld,
  board: Board,
  order: { name: string; color: string | null; at?: number },
): Label {
  if (board.labels.length >= world.settings.labelLimit) throw tooMany("labels.perBoard");
  const label = { id: newId(world.state, order.at), name: order.name, color: order.color };
  board.labels.push(label);
  world.index.set(label.id, { kind: "label", board, label });
  world.save();
  return label;
}

/** Deletes a label, also from every card. */
export function deleteLabel(world: TrelloWorld, board: Board, label: Label): void {
  board.labels = board.labels.filter((known) => known !== label);
  for (const card of board.cards) card.idLabels = card.idLabels.filter((id) => id !== label.id);
  world.index.delete(label.id);
  world.save();
}
