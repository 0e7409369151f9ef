import { BACKGROUNDS } from "./boards.ts";
import { timestamp } from "./ids.ts";
import { boardLimits, fieldLimits, listLimits } from "./limits.ts";
import { inOrder } from "./positions.ts";
import { type Body, pick, slug, textData } from "./render.ts";
import { premiumFeatures, renderMembership } from "./render-members.ts";
import type {
  Board,
  CustomField,
  CustomFieldOption,
  Label,
  List,
  Member,
  PluginData,
  TrelloWorld,
} from "./state.ts";
import { organizationOf } from "./store.ts";

/** The default fields of a board. */
export const BOARD_FIELDS =
  "name,desc,descData,closed,idOrganization,idEnterprise,pinned,url,shortUrl,prefs,labelNames";

/** A board without its lists, cards and other parts. */
export function renderBoard(
  world: TrelloWorld,
  board: Board,
  view: { viewer: Member; fields?: string; standard?: string },
): Body {
  const { viewer } = view;
  const full: Body = {
    id: board.id,
    name: board.name,
    desc: board.desc,
    descData: textData(board.desc),
    closed: board.isClosed,
    dateClosed: board.dateClosed,
    idOrganization: board.idOrganization,
    idEnterprise: null,
    limits: boardLimits(world.settings, {
      openCards: board.cards.filter(({ isClosed }) => !isClosed).length,
      openLists: board.lists.filter(({ isClosed }) => !isClosed).length,
    }),
    pinned: false,
    starred: board.starredBy.includes(viewer.id),
    url: `${world.url}/b/${board.shortLink}/${slug(board.name)}`,
    prefs: renderPrefs(world, board),
    shortLink: board.shortLink,
    subscribed: (board.subscribers ?? []).includes(viewer.id),
    labelNames: board.labelNames,
    powerUps: [],
    dateLastActivity: board.dateLastActivity,
    // Changes on every read, although nothing on the board has changed.
    dateLastView: timestamp(),
    shortUrl: `${world.url}/b/${board.shortLink}`,
    idTags: [],
    datePluginDisable: null,
    creationMethod: null,
    ixUpdate: String(board.actions.length),
    templateGallery: null,
    enterpriseOwned: false,
    idBoardSource: null,
    premiumFeatures: premiumFeatures(organizationOf(world, board)),
    idMemberCreator: board.idMemberCreator,
    memberships: board.memberships.map(renderMembership),
  };
  return pick(world, full, view.fields, view.standard ?? BOARD_FIELDS);
}

function renderPrefs(world: TrelloWorld, board: Board): Body {
  const color = BACKGROUNDS[board.prefs.background] ?? null;
  const image = color === null ? `${world.storageUrl}/trello-backgrounds/${board.prefs.background}` : null;
  return {
    ...board.prefs,
    hiddenPluginBoardButtons: [],
    backgroundImage: image,
    backgroundImageScaled: image === null ? null : [{ width: 140, height: 93, url: `${image}/140x93` }],
    backgroundTile: false,
    backgroundBrightness: "dark",
    backgroundColor: color,
    backgroundBottomColor: color ?? "#2d3b36",
    backgroundTopColor: color ?? "#2d3b36",
    canBePublic: true,
    canBeEnterprise: true,
    canBeOrg: true,
    canBePrivate: true,
    canInvite: true,
  };
}

/** A list without its cards. */
export function renderList(
  world: TrelloWorld,
  board: Board,
  list: List,
  viewer: Member,
  fields?: string,
): Body {
  const full: Body = {
    id: list.id,
    name: list.name,
    closed: list.isClosed,
    color: list.color ?? null,
    idBoard: board.id,
    pos: list.pos,
    subscribed: list.subscribers.includes(viewer.id),
    softLimit: null,
    type: null,
    datasource: { filter: false },
    creationMethod: null,
    limits: listLimits(world.settings),
  };
  return pick(world, full, fields, "all");
}

/** A label. */
export function renderLabel(board: Board, label: Label): Body {
  return {
    id: label.id,
    idBoard: board.id,
    name: label.name,
    color: label.color,
    uses: usesOf(board, label),
  };
}

function usesOf(board: Board, { id }: Label): number {
  return board.cards.filter(({ idLabels }) => idLabels.includes(id)).length;
}

/** A custom field with its options. */
export function renderCustomField(world: TrelloWorld, board: Board, field: CustomField): Body {
  return {
    id: field.id,
    idModel: board.id,
    modelType: "board",
    fieldGroup: field.id.padEnd(64, "0"),
    display: { cardFront: field.isOnFront },
    name: field.name,
    pos: field.pos,
    type: field.type,
    isSuggestedField: false,
    limits: fieldLimits(world.settings),
    ...(field.type === "list"
      ? { options: inOrder(field.options).map((option) => renderOption(field, option)) }
      : {}),
  };
}

/** An option of a custom field. */
export function renderOption(field: CustomField, option: CustomFieldOption): Body {
  const { id, text, color, pos } = option;
  return { id, idCustomField: field.id, value: { text }, color, pos };
}

/** Data that a Power-Up stores on a board or card. */
export function renderPluginData(scope: "board" | "card", idModel: string, data: PluginData): Body {
  const { id, idPlugin, value, access } = data;
  return { id, idPlugin, scope, idModel, value, access };
}
