import type { SpoilOrder } from "#connectors/toolkit/simulator/gateway.ts";
import type { RequestLog } from "#connectors/toolkit/simulator/request-log.ts";

/** State of the simulated Trello; plain JSON, so that it survives a restart. */
export type TrelloState = {
  /** Middle part of every id: the database server. */
  machine: string;
  counter: number;
  members: Member[];
  organizations: Organization[];
  boards: Board[];
  backgrounds: CustomBackground[];
  codes: AuthorisationCode[];
  tokens: Token[];
};

export type Member = {
  id: string;
  username: string;
  fullName: string;
  initials: string;
  email: string;
  bio: string;
};

/** A membership of a board or workspace. */
export type Membership = {
  id: string;
  idMember: string;
  memberType: MemberType;
  isDeactivated: boolean;
};
export type MemberType = "admin" | "normal" | "observer";

/** A workspace. Its plan determines custom fields, backgrounds and the maximum size of attachments. */
export type Organization = {
  id: string;
  name: string;
  displayName: string;
  desc: string;
  idMemberCreator: string;
  plan: Plan;
  memberships: Membership[];
};
export type Plan = "free" | "standard" | "premium" | "enterprise";

/** A board with everything on it. */
export type Board = {
  id: string;
  shortLink: string;
  name: string;
  desc: string;
  isClosed: boolean;
  dateClosed: string | null;
  idOrganization: string | null;
  idMemberCreator: string;
  prefs: BoardPrefs;
  memberships: Membership[];
  /** The older names of the plain colours; deleting a label does not remove them. */
  labelNames: Record<string, string>;
  labels: Label[];
  lists: List[];
  cards: Card[];
  customFields: CustomField[];
  /** Oldest first; ids increase over time. */
  actions: Action[];
  pluginData: PluginData[];
  /** Ids of enabled Power-Ups. */
  plugins: string[];
  starredBy: string[];
  /** Members who watch the board; absent = nobody. */
  subscribers?: string[];
  lastIdShort: number;
  dateLastActivity: string;
};

/** Preferences, named as in the API. */
export type BoardPrefs = {
  permissionLevel: string;
  hideVotes: boolean;
  voting: string;
  comments: string;
  invitations: string;
  selfJoin: boolean;
  cardCovers: boolean;
  isTemplate: boolean;
  cardAging: string;
  calendarFeedEnabled: boolean;
  /** A stock name or the id of a custom background. */
  background: string;
};

/** A label; `color` null = no colour. */
export type Label = { id: string; name: string; color: string | null };

export type List = {
  id: string;
  name: string;
  isClosed: boolean;
  pos: number;
  /** Absent = none. The API shows it and takes none. */
  color?: string;
  subscribers: string[];
};

export type Card = {
  id: string;
  shortLink: string;
  idShort: number;
  idList: string;
  name: string;
  desc: string;
  isClosed: boolean;
  pos: number;
  due: string | null;
  /** Minutes before; -1 = none. */
  dueReminder: number | null;
  dueComplete: boolean;
  start: string | null;
  idLabels: string[];
  idMembers: string[];
  membersVoted: string[];
  subscribers: string[];
  address: string | null;
  locationName: string | null;
  coordinates: Coordinates | null;
  cardRole: string | null;
  isTemplate: boolean;
  cover: Cover;
  attachments: Attachment[];
  stickers: Sticker[];
  checklists: Checklist[];
  customFieldItems: CustomFieldItem[];
  pluginData: PluginData[];
  dateLastActivity: string;
};

export type Coordinates = { latitude: number; longitude: number };

/** A card's cover. At most one of colour, attachment and uploaded background is set. */
export type Cover = {
  color: string | null;
  idAttachment: string | null;
  idUploadedBackground: string | null;
  size: "normal" | "full";
  brightness: "dark" | "light";
};

/** A file or a link on a card. A file's bytes are stored outside the state, under their hash. */
export type Attachment = {
  id: string;
  name: string;
  /** Name in the download URL; null for a link. */
  fileName: string | null;
  mimeType: string;
  bytes: number | null;
  sha256: string | null;
  isUpload: boolean;
  /** URL of a link; null for a file. */
  link: string | null;
  idMember: string;
  date: string;
  pos: number;
  edgeColor: string | null;
};

export type Sticker = {
  id: string;
  image: string;
  top: number;
  left: number;
  zIndex: number;
  rotate: number;
};

export type Checklist = { id: string; name: string; pos: number; checkItems: CheckItem[] };

export type CheckItem = {
  id: string;
  name: string;
  pos: number;
  state: "complete" | "incomplete";
  due: string | null;
  dueReminder: number | null;
  idMember: string | null;
};

export type CustomFieldType = "checkbox" | "date" | "list" | "number" | "text";

export type CustomField = {
  id: string;
  name: string;
  type: CustomFieldType;
  pos: number;
  isOnFront: boolean;
  options: CustomFieldOption[];
};

export type CustomFieldOption = { id: string; text: string; color: string; pos: number };

/** The value of a custom field on a card: one of `value` (by type, always text) or `idValue` (an option). */
export type CustomFieldItem = {
  id: string;
  idCustomField: string;
  value: Record<string, string> | null;
  idValue: string | null;
};

/** Data that a Power-Up stores. */
export type PluginData = { id: string; idPlugin: string; value: string; access: "shared" | "private" };

/** One entry of a board's history; comments are actions of type `commentCard`. */
export type Action = {
  id: string;
  type: string;
  date: string;
  idMemberCreator: string;
  idCard: string | null;
  idList: string | null;
  data: Record<string, unknown>;
  reactions: { id: string; idMember: string; emoji: string }[];
};

/** A background image that a member uploaded. */
export type CustomBackground = { id: string; idMember: string; sha256: string; bytes: number };

/** A code of the OAuth 2.0 flow. It works once and expires after ten minutes. */
export type AuthorisationCode = {
  code: string;
  idMember: string;
  redirectUri: string;
  codeChallenge: string;
  scopes: string[];
  expiresAt: number;
};

/** A token of either kind. */
export type Token = {
  id: string;
  value: string;
  kind: "legacy" | "oauth2";
  idMember: string;
  /** `read`, `write`, `account` from the token page, or the granular scopes of OAuth 2.0. */
  scopes: string[];
  createdAt: number;
  /** null = never. */
  expiresAt: number | null;
  /** Only for OAuth 2.0 with `offline_access`. */
  refreshToken: string | null;
  isRevoked: boolean;
};

/** Settings of a simulated Trello. */
export type TrelloSettings = {
  /** The application's key, for the token page and the `OAuth` header. */
  apiKey: string;
  /** The OAuth 2.0 client. */
  clientId: string;
  clientSecret: string;
  /** Callback URLs, and origins to which the token page may redirect. A loopback URL matches on any port. */
  callbacks: readonly string[];
  /** Lifetime of OAuth 2.0 access tokens. */
  tokenLifetimeMs: number;
  /** Requests per window of the application, of one token, and of one token to `/members/:id`. */
  keyLimit: number;
  tokenLimit: number;
  memberLimit: number;
  /** Requests of a member per window, through all applications, as the headers tell. Nothing shows how Trello refuses more. */
  memberRequestLimit: number;
  /** More refusals of the application in a window block it for the rest of the window. */
  blockAfterRefusals: number;
  windowMs: number;
  memberWindowMs: number;
  /** Most cards in one response: without parts, with nested parts, with nested actions. */
  plainCardLimit: number;
  nestedCardLimit: number;
  actionCardLimit: number;
  /** Maximum attachment size by plan. */
  freeAttachmentBytes: number;
  paidAttachmentBytes: number;
  /** Most open boards of a free workspace. */
  freeBoardLimit: number;
  /** Limits per object, as `limits` shows them. */
  openCardLimit: number;
  openListLimit: number;
  labelLimit: number;
  customFieldLimit: number;
  optionLimit: number;
  checklistLimit: number;
  checkItemLimit: number;
  attachmentLimit: number;
  stickerLimit: number;
  /** How long a URL at the storage host is valid. */
  storageLifetimeMs: number;
};

/** What every part of the simulator needs. */
export type TrelloWorld = {
  state: TrelloState;
  settings: TrelloSettings;
  /** Folder of the attachments' bytes. */
  directory: string;
  /** The base URL of the web site, sign-in and API. */
  url: string;
  /** The base URL of the storage host, a different origin. */
  storageUrl: string;
  /** All things by id and by short link. */
  index: Map<string, Found>;
  /** Windows of the limits, by key. */
  windows: Map<string, { used: number; refused: number; resetAt: number }>;
  /** Responses that the gateway will replace although the request was handled. */
  spoils: SpoilOrder[];
  save(): void;
  refuse: RequestLog["refuse"];
};

/** A thing with its board and card. */
export type Found =
  | { kind: "board"; board: Board }
  | { kind: "list"; board: Board; list: List }
  | { kind: "label"; board: Board; label: Label }
  | { kind: "customField"; board: Board; field: CustomField }
  | { kind: "card"; board: Board; card: Card }
  | { kind: "checklist"; board: Board; card: Card; checklist: Checklist }
  | { kind: "attachment"; board: Board; card: Card; attachment: Attachment }
  | { kind: "action"; board: Board; action: Action };

/** An empty state. */
export function emptyState(): TrelloState {
  return {
    machine: "4a7c21e90b",
    counter: 0x1f0000,
    members: [],
    organizations: [],
    boards: [],
    backgrounds: [],
    codes: [],
    tokens: [],
  };
}
