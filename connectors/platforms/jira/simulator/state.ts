import type { FaultAction } from "#connectors/toolkit/simulator/faults.ts";
import type { SpoilOrder } from "#connectors/toolkit/simulator/gateway.ts";
import type { RequestLog } from "#connectors/toolkit/simulator/request-log.ts";

/** Everything that a simulated Atlassian cloud knows; plain JSON. Times are epoch milliseconds. */
export type JiraState = {
  people: Person[];
  sites: Site[];
  codes: Code[];
  tokens: Token[];
  apiTokens: ApiToken[];
  /** Signs the addresses of the media host. */
  secret: string;
};

/** A person's Atlassian account, which may belong to several sites. */
export type Person = {
  accountId: string;
  email: string;
  displayName: string;
  /** IANA zone. Jira reads and writes times in it. */
  timeZone: string;
  isActive: boolean;
  accountType: "atlassian" | "app" | "customer";
  /** The account was deleted: its name and address are gone. */
  isClosed?: true;
  /** When the profile changed last, in epoch ms. */
  changedAt?: number;
};

export type Code = {
  code: string;
  accountId: string;
  cloudId: string;
  redirectUri: string;
  scopes: string[];
  expiresAt: number;
  /** S256 of the verifier (RFC 7636); absent = the client sent none. */
  challenge?: string;
};

/** An access token with its refresh token. Tokens of one grant have the same `grantId`. */
export type Token = {
  grantId: string;
  value: string;
  accountId: string;
  /** The sites that the person chose. */
  cloudIds: string[];
  scopes: string[];
  expiresAt: number | null;
  /** Works once; null without offline access, or when it was used. */
  refreshToken: string | null;
  /** A refresh token dies when it is unused for this long. */
  refreshExpiresAt: number | null;
  /** A token of the Forge app, which Forge passes to the app's remote; it is never refreshed. */
  isForge?: true;
  isRevoked: boolean;
};

/** A personal API token, sent as `Basic base64(email:token)`. */
export type ApiToken = {
  value: string;
  accountId: string;
  /** Null = a token without scopes, which works at the site's own address only. */
  scopes: string[] | null;
  isRevoked: boolean;
  expiresAt: number | null;
};

export type Edition = "free" | "standard" | "premium" | "enterprise";

/** A Jira site, "cloud" in the API. */
export type Site = {
  cloudId: string;
  /** The first label of the site's host name. */
  slug: string;
  name: string;
  edition: Edition;
  members: Member[];
  groups: Group[];
  /** The last number given, by kind. */
  counters: Record<string, number>;
  projects: Project[];
  issues: Issue[];
  links: IssueLink[];
  fields: Field[];
  statuses: Status[];
  issueTypes: IssueType[];
  workflows: Workflow[];
  schemes: Scheme[];
  priorities: Named[];
  resolutions: Named[];
  linkTypes: LinkType[];
  roles: Named[];
  filters: Filter[];
  boards: Board[];
  sprints: Sprint[];
  tasks: BulkTask[];
  /** Global permissions that only administrators have; others have them by default. */
  withheld: string[];
  /** How many e-mails people got about changes. */
  mails: number;
  /** Ids of worklogs that were deleted, with the time. */
  deletedWorklogs: { id: string; at: number }[];
};

export type Member = { accountId: string; isAdmin: boolean; groupIds: string[] };
export type Group = { id: string; name: string };
export type Named = { id: string; name: string; description: string; color?: string; isDefault?: boolean };
export type LinkType = { id: string; name: string; inward: string; outward: string };

export const PROJECT_TYPES = [
  ...(["software", "service_desk", "business", "product_discovery"] as const),
  // No template has it; the specification names it (P-143).
  "bug_tracking" as const,
];
export type ProjectType = (typeof PROJECT_TYPES)[number];

export type Project = {
  id: string;
  key: string;
  name: string;
  description: string;
  typeKey: ProjectType;
  /** `classic` = company-managed, `next-gen` = team-managed. */
  style: "classic" | "next-gen";
  /** The key of the template that made it. */
  template: string;
  isPrivate: boolean;
  leadId: string;
  url: string;
  isArchived: boolean;
  /** When it went to the trash; null = it is not there. */
  trashedAt: number | null;
  createdAt: number;
  /** Ids of its schemes, by kind. */
  schemeIds: Partial<Record<SchemeKind, string>>;
  roleActors: Record<string, Actor[]>;
  components: Component[];
  versions: Version[];
  properties: Record<string, unknown>;
  features: { feature: string; isEnabled: boolean }[];
  /** The number of its newest issue. */
  lastNumber: number;
};

/** Someone in a role, or named by a security level. */
export type Actor = { kind: "user"; accountId: string } | { kind: "group"; groupId: string };

export type Component = { id: string; name: string; description: string; leadId: string | null };
export type Version = {
  id: string;
  name: string;
  description: string;
  isArchived: boolean;
  isReleased: boolean;
  startDate: string | null;
  releaseDate: string | null;
};

/** Where something applies: the whole site, or one team-managed project. */
export type Scope = { projectId: string } | null;

export type IssueType = {
  id: string;
  name: string;
  description: string;
  /** -1 = sub-task, 0 = standard, 1 = epic. */
  level: -1 | 0 | 1;
  scope: Scope;
};

export type StatusCategory = "new" | "indeterminate" | "done";
export type Status = {
  id: string;
  name: string;
  description: string;
  category: StatusCategory;
  scope: Scope;
};

export type Workflow = {
  /** A UUID. */
  id: string;
  name: string;
  description: string;
  statusIds: string[];
  transitions: Transition[];
  scope: Scope;
};

export type Transition = {
  id: string;
  name: string;
  kind: "INITIAL" | "GLOBAL" | "DIRECTED";
  /** Statuses that it starts at; empty unless `DIRECTED`. */
  from: string[];
  to: string;
  /** Who may use it; absent = everybody who may transition issues. */
  condition?: { kind: "role"; roleId: string } | { kind: "assignee" };
  /** Fields on its screen. */
  screen?: string[];
  /** Fields of the screen that must be filled. */
  required?: string[];
  /** The resolution that it sets; "" clears it. */
  setsResolution?: string;
};

export type SchemeKind =
  | "issuetype"
  | "workflow"
  | "permission"
  | "notification"
  | "security"
  | "screen"
  | "fieldconfiguration"
  | "priority";

/** A scheme of a project. Only the members of its kind are used. */
export type Scheme = {
  id: string;
  kind: SchemeKind;
  name: string;
  description: string;
  /** issuetype: types in order, the first is the default. priority: priorities. */
  ids?: string[];
  /** workflow: the workflow of each issue type, `default` for the others. */
  workflowIds?: Record<string, string>;
  /** permission: who has which. */
  grants?: PermissionGrant[];
  /** notification: whom which event tells. */
  events?: { eventId: number; name: string; tells: string[] }[];
  /** security: the levels. */
  levels?: SecurityLevel[];
  defaultLevelId?: string | null;
};

export type PermissionGrant = {
  id: string;
  permission: string;
  holder:
    | { kind: "projectRole"; roleId: string }
    | { kind: "group"; groupId: string }
    | { kind: "applicationRole" }
    | { kind: "reporter" | "assignee" | "projectLead" };
};

export type SecurityLevel = { id: string; name: string; description: string; members: LevelMember[] };
export type LevelMember =
  | Actor
  | { kind: "role"; roleId: string }
  | { kind: "reporter" | "assignee" | "projectLead" };

export type FieldOption = { id: string; value: string; isDisabled: boolean; parentId: string | null };

export type Field = {
  /** System fields have names, custom fields `customfield_10010`. */
  id: string;
  name: string;
  description: string;
  /** The custom field type's key; null = a system field. */
  typeKey: string | null;
  options: FieldOption[];
  /** Null = every project; otherwise the projects of its context. */
  projectIds: string[] | null;
  scope: Scope;
  /** Locked fields belong to Jira. */
  isLocked: boolean;
  createdAt: number;
};

/** A stored value of a field: ids rather than what the API shows of them. */
export type FieldValue = unknown;

export type Issue = {
  id: string;
  projectId: string;
  number: number;
  typeId: string;
  statusId: string;
  statusSince: number;
  creatorId: string;
  createdAt: number;
  updatedAt: number;
  resolvedAt: number | null;
  /** The order among the issues of the site. */
  rank: string;
  values: Record<string, FieldValue>;
  comments: Comment[];
  worklogs: Worklog[];
  attachments: Attachment[];
  changes: Change[];
  remoteLinks: RemoteLink[];
  properties: Record<string, unknown>;
  watcherIds: string[];
  voterIds: string[];
  timeSpentSeconds: number;
  /** What search knows of it; null = it does not know it yet. */
  indexed: Indexed | null;
  /** When search learns what changed; null = it knows everything. */
  indexDueAt: number | null;
  /** Keys that it had in other projects. */
  oldKeys: string[];
};

export type Indexed = { projectId: string; updatedAt: number; createdAt: number; statusId: string };

export type Adf = { type: "doc"; version: 1; content: unknown[] };

/** Restricts a comment or worklog to a group or role. */
export type Visibility = { type: "group" | "role"; identifier: string };

export type Comment = {
  id: string;
  authorId: string;
  updateAuthorId: string;
  body: Adf;
  createdAt: number;
  updatedAt: number;
  visibility: Visibility | null;
  /** JSM: false = internal note. */
  isPublic: boolean;
  properties: Record<string, unknown>;
};

export type Worklog = {
  id: string;
  authorId: string;
  updateAuthorId: string;
  comment: Adf | null;
  createdAt: number;
  updatedAt: number;
  startedAt: number;
  seconds: number;
  visibility: Visibility | null;
};

export type Attachment = {
  id: string;
  fileName: string;
  mimeType: string;
  bytes: number;
  sha256: string;
  authorId: string;
  createdAt: number;
};

export type Change = { id: string; authorId: string; at: number; items: ChangeItem[] };
export type ChangeItem = {
  field: string;
  fieldId: string;
  isCustom: boolean;
  from: string | null;
  fromText: string | null;
  to: string | null;
  toText: string | null;
};

export type RemoteLink = {
  id: string;
  globalId: string | null;
  application: { type?: string; name?: string };
  relationship: string | null;
  object: { url: string; title: string; [name: string]: unknown };
};

/** A link from one issue (`fromId`, which shows the outward name) to another. */
export type IssueLink = { id: string; typeId: string; fromId: string; toId: string };

export type Filter = {
  id: string;
  name: string;
  description: string;
  ownerId: string;
  jql: string;
  /** Empty = private. */
  shares: (
    | { kind: "global" }
    | { kind: "project"; projectId: string }
    | { kind: "group"; groupId: string }
  )[];
};

export type Board = {
  id: string;
  name: string;
  kind: "scrum" | "kanban" | "simple";
  projectId: string;
  filterId: string;
  columns: { name: string; statusIds: string[]; min?: number; max?: number }[];
  /** Null = it does not estimate. */
  estimationFieldId: string | null;
};

export type Sprint = {
  id: string;
  boardId: string;
  name: string;
  state: "future" | "active" | "closed";
  goal: string;
  startAt: number | null;
  endAt: number | null;
  completedAt: number | null;
  createdAt: number;
};

/** A bulk operation that runs after its request was answered. */
export type BulkTask = {
  id: string;
  accountId: string;
  createdAt: number;
  /** When it is complete. */
  doneAt: number;
  moves: { issueId: string; transitionId: string }[];
  isRun: boolean;
  /** Messages by the id of the issue that did not move. */
  failed: Record<string, string[]>;
  inaccessible: number;
};

/** Finds what a site holds by id and key, without going through its lists. */
export type SiteIndex = {
  issuesById: Map<string, Issue>;
  issuesByKey: Map<string, Issue>;
  /** The issues of each project, oldest first. */
  issuesOfProject: Map<string, Set<Issue>>;
  childrenOf: Map<string, Set<Issue>>;
  issuesByAttachment: Map<string, Issue>;
};

/** What every part of the simulator works with. */
export type JiraWorld = {
  state: JiraState;
  settings: JiraSettings;
  directory: string;
  /** The base URL of the web pages, the sign-in and the API. */
  url: string;
  /** The base URL of the media host. */
  mediaUrl: string;
  indexes: Map<string, SiteIndex>;
  ledger: Ledger;
  spoils: SpoilOrder[];
  save(): void;
  refuse: RequestLog["refuse"];
};

/** What was drawn in the running windows, by name. */
export type Ledger = { windows: Map<string, { used: number; resetAt: number }> };

/** The shapes of a rate-limit fault. */
export type RateLimitFault = Extract<FaultAction, { kind: "rate-limit" }>;

/** Settings; the defaults are Jira's. */
export type JiraSettings = {
  clientId: string;
  clientSecret: string;
  /** Registered callbacks; a loopback address allows any loopback port and path. */
  callbacks: string[];
  tokenLifetimeMs: number;
  /** An unused refresh token's life. */
  refreshLifetimeMs: number;
  /** Points of the hour that all sites share. */
  globalPoints: number;
  /** Points of the hour of one site; null = it has no pool of its own and draws on the shared one. */
  tenantPoints: number | null;
  /** Requests a second, per site and endpoint. */
  burstRead: number;
  burstWrite: number;
  /** Writes to one issue in 2 s and in 30 s. */
  issueWritesShort: number;
  issueWritesLong: number;
  /** How long search does not see a change. */
  indexLagMs: number;
  /** How long a bulk operation runs. */
  bulkTaskMs: number;
  attachmentBytes: number;
  mediaLifetimeMs: number;
  /** Days of the header `Cycle-Period`. */
  reportCycleDays: number;
};
