import type { RequestLog } from "#connectors/toolkit/simulator/request-log.ts";

/** State of the simulated GitLab; plain JSON, so that it survives a restart. */
export type GitlabState = {
  nextId: number;
  users: User[];
  groups: Group[];
  projects: Project[];
  snippets: Snippet[];
  codes: AuthorisationCode[];
  tokens: Token[];
  /** Users mentioned in texts; the simulator sends no e-mails. */
  notifications: { username: string; where: string }[];
  /** Absent = none. */
  issueLinks?: IssueLink[];
};

/** A link between two issues, by their ids. */
export type IssueLink = {
  id: number;
  sourceId: number;
  targetId: number;
  type: "relates_to" | "blocks" | "is_blocked_by";
  createdAt: string;
};

/** A user; `namespaceId` is the namespace of their own projects. */
export type User = {
  id: number;
  namespaceId: number;
  username: string;
  name: string;
  email: string;
  bio: string;
  location: string;
  createdAt: string;
};

/** A group; its id is also its namespace's id. Members of a group are members of everything below it. */
export type Group = {
  id: number;
  path: string;
  name: string;
  parentId: number | null;
  description: string;
  visibility: Visibility;
  members: Membership[];
  labels: Label[];
  milestones: Milestone[];
  /** Who may create projects in it; absent = developers, the default. */
  projectCreation?: "noone" | "administrator" | "owner" | "maintainer" | "developer";
  createdAt: string;
};

/** 10 guest, 20 reporter, 30 developer, 40 maintainer, 50 owner. */
export type Membership = { userId: number; level: number; createdAt: string; expiresAt: string | null };
export type Visibility = "private" | "internal" | "public";

/** A project; its code and its wiki are bare repositories on disk. */
export type Project = {
  id: number;
  namespaceId: number;
  path: string;
  name: string;
  description: string | null;
  visibility: Visibility;
  topics: string[];
  isArchived: boolean;
  issuesAccess: Access;
  mergeRequestsAccess: Access;
  wikiAccess: Access;
  snippetsAccess: Access;
  hasLfs: boolean;
  mergeMethod: "merge" | "rebase_merge" | "ff";
  /** Further settings, stored as sent, by their names in the API. */
  settings: Record<string, unknown>;
  creatorId: number;
  createdAt: string;
  updatedAt: string;
  lastActivityAt: string;
  /** Whether it has had a branch; the first push protects the default branch. */
  isFilled: boolean;
  /** Absolute path of a bare repository below `SIM_GIT_ROOT`; null = kept in the simulator's own folder. */
  external: string | null;
  /** Former full paths, which redirect. */
  formerPaths: string[];
  /** Day on which it will be deleted; null = not marked for deletion. */
  markedForDeletionOn: string | null;
  isDeleted: boolean;
  /** Deleted at GitLab, but its external files, which are not ours, stay. */
  isHidden?: boolean;
  members: Membership[];
  labels: Label[];
  milestones: Milestone[];
  issues: Issue[];
  mergeRequests: MergeRequest[];
  releases: Release[];
  boards: Board[];
  variables: Variable[];
  hooks: Hook[];
  protectedBranches: ProtectedBranch[];
  /** Of these four, absent = none. */
  protectedTags?: { name: string; level: number }[];
  schedules?: PipelineSchedule[];
  deployKeys?: DeployKey[];
  badges?: Badge[];
  uploads: Upload[];
  exportStatus: "none" | "queued" | "started" | "finished";
  importStatus: "none" | "scheduled" | "started" | "finished" | "failed";
  importError: string | null;
};

/** Who may use a part of a project; `private` = members only. */
export type Access = "disabled" | "private" | "enabled";

export type Label = {
  id: number;
  name: string;
  color: string;
  description: string | null;
  priority: number | null;
};

export type Milestone = {
  id: number;
  iid: number;
  title: string;
  description: string;
  state: "active" | "closed";
  dueDate: string | null;
  startDate: string | null;
  createdAt: string;
  updatedAt: string;
};

/** An emoji reaction to an issue, merge request, note or snippet. */
export type AwardEmoji = {
  id: number;
  name: string;
  userId: number;
  createdAt: string;
  updatedAt: string;
};

/** A note. Notes of one discussion share its id. */
export type Note = {
  id: number;
  discussionId: string;
  /** null = a plain comment, alone in its discussion. */
  type: "DiscussionNote" | "DiffNote" | null;
  body: string;
  authorId: number;
  isSystem: boolean;
  isInternal: boolean;
  /** null = cannot be resolved. */
  isResolved: boolean | null;
  resolvedById: number | null;
  /** A diff note's position in the change, as sent. */
  position: Record<string, unknown> | null;
  awards: AwardEmoji[];
  createdAt: string;
  updatedAt: string;
};

/** A change of an issue or merge request that GitLab lists as a resource event, not as a note. */
export type ResourceEvent = { id: number; userId: number; createdAt: string } & (
  | { type: "label"; label: string; action: "add" | "remove" }
  | { type: "milestone"; milestoneId: number; action: "add" | "remove" }
  | { type: "state"; state: "closed" | "reopened" | "merged" }
);

/** Fields that issues and merge requests share. */
export type Issuable = {
  id: number;
  iid: number;
  title: string;
  description: string | null;
  authorId: number;
  assigneeIds: number[];
  labels: string[];
  milestoneId: number | null;
  isDiscussionLocked: boolean;
  notes: Note[];
  /** Absent = none yet. */
  events?: ResourceEvent[];
  awards: AwardEmoji[];
  createdAt: string;
  updatedAt: string;
  closedAt: string | null;
  closedById: number | null;
};

export type Issue = Issuable & {
  state: "opened" | "closed";
  type: "issue" | "incident" | "task";
  isConfidential: boolean;
  dueDate: string | null;
  weight: number | null;
  timeEstimate: number;
  timeSpent: number;
};

export type MergeRequest = Issuable & {
  state: "opened" | "closed" | "merged";
  sourceBranch: string;
  targetBranch: string;
  /** Head of the source branch, and of `refs/merge-requests/<iid>/head`. */
  sha: string;
  mergeCommitSha: string | null;
  mergedAt: string | null;
  mergedById: number | null;
  reviewerIds: number[];
  approvals: { userId: number; at: string }[];
  versions: { id: number; head: string; base: string; createdAt: string }[];
  isSquash: boolean;
  removesSourceBranch: boolean;
};

export type Release = {
  tag: string;
  name: string;
  description: string;
  authorId: number;
  milestones: string[];
  links: ReleaseLink[];
  createdAt: string;
  releasedAt: string;
};

export type ReleaseLink = {
  id: number;
  name: string;
  url: string;
  directAssetPath: string | null;
  type: "other" | "runbook" | "image" | "package";
};

export type Board = {
  id: number;
  name: string;
  lists: { id: number; labelId: number; position: number }[];
};

export type Variable = {
  key: string;
  value: string;
  type: "env_var" | "file";
  isProtected: boolean;
  isMasked: boolean;
  isHidden: boolean;
  isRaw: boolean;
  scope: string;
  description: string | null;
};

/** A webhook. Its secret token is never shown again. */
export type Hook = {
  id: number;
  url: string;
  name: string | null;
  description: string | null;
  token: string | null;
  events: Record<string, boolean>;
  branchFilter: string | null;
  verifiesSsl: boolean;
  createdAt: string;
};

export type ProtectedBranch = {
  id: number;
  /** A name or a pattern with `*`. */
  name: string;
  pushLevel: number;
  mergeLevel: number;
  allowsForcePush: boolean;
};

export type PipelineSchedule = {
  id: number;
  description: string;
  ref: string;
  cron: string;
  timezone: string;
  isActive: boolean;
  ownerId: number;
  createdAt: string;
};

/** A public key that may read, and perhaps push. */
export type DeployKey = { id: number; title: string; key: string; canPush: boolean; createdAt: string };

/** A picture with a link. Both URLs may contain placeholders such as `%{project_path}`. */
export type Badge = { id: number; name: string | null; linkUrl: string; imageUrl: string };

/** A file attached to a text. */
export type Upload = {
  id: number;
  secret: string;
  filename: string;
  size: number;
  createdAt: string;
  uploadedById: number;
};

/** A snippet of a project, or a personal one; a bare repository with one branch. */
export type Snippet = {
  id: number;
  projectId: number | null;
  authorId: number;
  title: string;
  description: string | null;
  visibility: Visibility;
  createdAt: string;
  updatedAt: string;
  notes: Note[];
  awards: AwardEmoji[];
};

/** A code of the OAuth web flow. It works once and expires after ten minutes. */
export type AuthorisationCode = {
  code: string;
  userId: number;
  redirectUri: string;
  codeChallenge: string | null;
  scopes: string[];
  expiresAt: number;
};

/** An access token with its refresh token. */
export type Token = {
  value: string;
  userId: number;
  scopes: string[];
  createdAt: number;
  expiresAt: number;
  /** null = the token was created without the consent page. */
  refreshToken: string | null;
  isRevoked: boolean;
};

/** Settings of a simulated GitLab. */
export type GitlabSettings = {
  clientId: string;
  clientSecret: string;
  /** Callback URLs. A loopback URL matches on any port. */
  callbacks: readonly string[];
  /** Scopes of the registered application. */
  scopes: readonly string[];
  tokenLifetimeMs: number;
  /** Authenticated requests per minute. */
  rateLimit: number;
  /** Issues and notes that one user may create per minute. */
  issueLimit: number;
  noteLimit: number;
  /** Failed sign-ins per minute before the address is banned. */
  failedAuthLimit: number;
  pushLimitBytes: number;
  /** Largest offset of a list of projects or groups. */
  offsetLimit: number;
  /** Most rows to count for `X-Total`. */
  countLimit: number;
  /** Duration of an export or import. */
  jobMs: number;
  /** Folder of extra bare repositories `OWNER/NAME.git`. */
  gitRoot: string | null;
};

/** What every part of the simulator needs. */
export type GitlabWorld = {
  state: GitlabState;
  settings: GitlabSettings;
  /** Folder of the bare repositories, exports and hooks. */
  directory: string;
  url: string;
  save(): void;
  refuse: RequestLog["refuse"];
  /** Rate-limit windows by key. */
  windows: Map<string, { used: number; resetAt: number }>;
};

/** An empty state. */
export function emptyState(): GitlabState {
  return {
    nextId: 61_300_000,
    users: [],
    groups: [],
    projects: [],
    snippets: [],
    codes: [],
    tokens: [],
    notifications: [],
  };
}

/** Takes the next numeric id. */
export function nextId(state: GitlabState): number {
  state.nextId += 13;
  return state.nextId;
}

/** The next iid within a project. */
export function nextIid(things: readonly { iid: number }[]): number {
  return things.reduce((highest, { iid }) => Math.max(highest, iid), 0) + 1;
}

/** GitLab's timestamps have milliseconds. */
export function timestamp(epochMs: number = Date.now()): string {
  return new Date(epochMs).toISOString();
}
