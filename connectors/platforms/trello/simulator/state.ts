/** Everything that the simulated Trello remembers; plain JSON, so that it survives a restart. */
export type TrelloState = {
  /** Middle part of every id, as a database server has one. */
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

/** Who belongs to a board or a workspace, and as what. */
export type Membership = {
  id: string;
  idMember: string;
  memberType: MemberType;
  isDeactivated: boolean;
};
export type MemberType = "admin" | "normal" | "observer";

/** A workspace. Its plan decides on custom fields, backgrounds and the size of attachments. */
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
  /** The old names of the plain colours, which outlive their labels. */
  labelNames: Record<string, string>;
  labels: Label[];
  lists: List[];
  cards: Card[];
  customFields: CustomField[];
  /** Oldest first; ids grow with time. */
  actions: Action[];
  pluginData: PluginData[];
  /** Power-Ups that are switched on, by their ids. */
  plugins: string[];
  starredBy: string[];
  lastIdShort: number;
  dateLastActivity: string;
};

/** Preferences by their names in the API. */
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

/** A label; a colour of null is a label without colour. */
export type Label = { id: string; name: string; color: string | null };

export type List = {
  id: string;
  name: string;
  isClosed: boolean;
  pos: number;
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

/** What a card wears. At most one of colour, attachment, uploaded background is set. */
export type Cover = {
  color: string | null;
  idAttachment: string | null;
  idUploadedBackground: string | null;
  size: "normal" | "full";
  brightness: "dark" | "light";
};

/** A file or a link on a card. Bytes of files are kept beside the state, named for their hash. */
export type Attachment = {
  id: string;
  name: string;
  /** Name in the download address; null for a link. */
  fileName: string | null;
  mimeType: string;
  bytes: number | null;
  sha256: string | null;
  isUpload: boolean;
  /** Address of a link; null for a file. */
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

/** What a Power-Up keeps. */
export type PluginData = { id: string; idPlugin: string; value: string; access: "shared" | "private" };

/** One line of a board's history; comments are actions of type `commentCard`. */
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

/** A code of the OAuth 2.0 flow: one use, ten minutes. */
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
  /** `read write account` of the token page, or the fine scopes of OAuth 2.0. */
  scopes: string[];
  createdAt: number;
  /** null = never. */
  expiresAt: number | null;
  /** OAuth 2.0 with `offline_access` only. */
  refreshToken: string | null;
  isRevoked: boolean;
};

/** How a simulated Trello is set up. */
export type TrelloSettings = {
  /** Key of the application; the token page and the `OAuth` header use it. */
  apiKey: string;
  /** Client of OAuth 2.0. */
  clientId: string;
  clientSecret: string;
  /** Callback addresses, and origins to which the token page may lead. A loopback address matches on any port. */
  callbacks: readonly string[];
  /** Lifetime of access tokens of OAuth 2.0. */
  tokenLifetimeMs: number;
  /** Requests of the whole application in one window, of one token, and of one token to `/members/:id`. */
  keyLimit: number;
  tokenLimit: number;
  memberLimit: number;
  /** So many refusals of one application in a window block it for the rest of the window. */
  blockAfterRefusals: number;
  windowMs: number;
  memberWindowMs: number;
  /** Cards of one answer: bare, with parts of cards nested in them, with their actions nested in them. */
  plainCardLimit: number;
  nestedCardLimit: number;
  actionCardLimit: number;
  /** Largest attachment by plan. */
  freeAttachmentBytes: number;
  paidAttachmentBytes: number;
  /** Open boards of a free workspace. */
  freeBoardLimit: number;
  /** Limits per object, as `limits` tells them. */
  openCardLimit: number;
  openListLimit: number;
  labelLimit: number;
  customFieldLimit: number;
  optionLimit: number;
  checklistLimit: number;
  checkItemLimit: number;
  attachmentLimit: number;
  stickerLimit: number;
  /** How long an address at the storage host is good for. */
  storageLifetimeMs: number;
};

/** What every part of the simulator works with. */
export type TrelloWorld = {
  state: TrelloState;
  settings: TrelloSettings;
  /** Folder of the attachments' bytes. */
  directory: string;
  /** One base for web site, sign-in and API. */
  url: string;
  /** Another origin, which keeps the bytes. */
  storageUrl: string;
  /** What lies where, by id and by short link. */
  index: Map<string, Found>;
  /** Windows of the limits, by their keys. */
  windows: Map<string, { used: number; refused: number; resetAt: number }>;
  /** Answers that a gateway will replace though the work was done. */
  spoils: SpoilOrder[];
  save(): void;
  refuse(refusal: {
    kind: "unknown" | "refused";
    method: string;
    path: string;
    status: number;
    reason: string;
  }): void;
};

/** Which answers of the API a gateway replaces by its own. */
export type SpoilOrder = {
  method?: string | undefined;
  path: string;
  skip: number;
  times: number;
  status: number;
};

/** A thing and where it lies. */
export type Found =
  | { kind: "board"; board: Board }
  | { kind: "list"; board: Board; list: List }
  | { kind: "label"; board: Board; label: Label }
  | { kind: "customField"; board: Board; field: CustomField }
  | { kind: "card"; board: Board; card: Card }
  | { kind: "checklist"; board: Board; card: Card; checklist: Checklist }
  | { kind: "attachment"; board: Board; card: Card; attachment: Attachment }
  | { kind: "action"; board: Board; action: Action };

/** A world without anybody in it. */
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
