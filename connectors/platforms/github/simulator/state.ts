import type { RequestLog } from "#connectors/toolkit/simulator/request-log.ts";
import type { RepositoryRecords } from "./records.ts";
/** A file attached to a text in the browser. */
export type Attachment = {
  id: number;
  uuid: string;
  /** URLs of pictures and videos contain their UUID, those of other files their id and name. */
  isPicture: boolean;
  name: string;
  contentType: string;
  size: number;
  repositoryId: number;
};

/**
 * The records of all repositories. Each repository has its own file, so that a change to one does not rewrite the
 * others.
 */
export type RecordFiles = {
  /** Returns the records of a repository, which are read on first use. */
  of(repository: Repository): RepositoryRecords;
  /** Schedules a write of changed records. */
  save(repository: Repository): void;
  /** Deletes the records. */
  drop(repository: Repository): void;
  /** Writes all pending changes. */
  flush(): void;
};

/** The state of the simulated GitHub: plain JSON, which survives a restart. */
export type GithubState = {
  nextId: number;
  accounts: Account[];
  repositories: Repository[];
  installations: Installation[];
  codes: AuthorisationCode[];
  tokens: Token[];
  gists: Gist[];
  /** Files attached to texts. */
  attachments: Attachment[];
  /** The owner deleted the App; all its tokens are invalid. */
  isAppDeleted?: boolean;
};

/** A gist. Its files are the HEAD of a bare repository on disk. */
export type Gist = {
  /** Hexadecimal, 32 letters. */
  id: string;
  owner: string;
  description: string | null;
  isPublic: boolean;
  createdAt: string;
  updatedAt: string;
  comments: GistComment[];
};

/** A comment on a gist. */
export type GistComment = {
  id: number;
  author: string;
  body: string;
  createdAt: string;
  updatedAt: string;
};

/** A user or an organisation. */
export type Account = {
  id: number;
  type: "User" | "Organization";
  login: string;
  name: string;
  description: string | null;
  email: string | null;
  location: string | null;
  createdAt: string;
  /** Roles by login; organisations only. */
  members: Record<string, "admin" | "member">;
  /** The organisation enforces SAML, and no token is authorised for it. */
  isSsoEnforced: boolean;
  /** On a free plan, private repositories have no branch protection and no rulesets. */
  isFreePlan?: boolean;
};

/** A repository. Its git data is a bare repository on disk. */
export type Repository = {
  id: number;
  owner: string;
  name: string;
  description: string | null;
  homepage: string | null;
  language: string | null;
  visibility: "public" | "private";
  topics: string[];
  isArchived: boolean;
  hasIssues: boolean;
  hasProjects: boolean;
  hasWiki: boolean;
  hasDiscussions: boolean;
  isActionsEnabled: boolean;
  createdAt: string;
  updatedAt: string;
  pushedAt: string;
  /** Absolute path of a bare repository below `SIM_GIT_ROOT`; null = stored in the simulator's own folder. */
  external: string | null;
  /** Former values of `owner/name`. */
  formerNames: string[];
  /** Blocked for legal reasons: returns 451. */
  isBlocked: boolean;
  /** Refuses pushes that contain a secret (GH013). */
  hasPushProtection: boolean;
  isDeleted: boolean;
  /** Deleted at GitHub. Its files are not ours and stay in place. */
  isHidden?: boolean;
};

/** The App installed on an account. */
export type Installation = {
  id: number;
  account: string;
  /** null = all repositories. */
  repositoryIds: number[] | null;
  suspendedAt: string | null;
  /** True while GitHub lists the installation but does not serve its repositories yet. */
  isSettlingIn?: boolean;
  createdAt: string;
};

/** A code of the OAuth web flow: single-use, valid for ten minutes. */
export type AuthorisationCode = {
  code: string;
  login: string;
  redirectUri: string;
  codeChallenge: string | null;
  scopes: string[] | null;
  expiresAt: number;
};

/** An access token with its refresh token. */
export type Token = {
  value: string;
  kind: "user" | "installation";
  /** The user's login; null for installation tokens. */
  login: string | null;
  installationId: number | null;
  /** Scopes requested at the consent page; null = the App's permissions apply. */
  scopes: string[] | null;
  expiresAt: number;
  refreshToken: string | null;
  refreshExpiresAt: number;
  isRevoked: boolean;
};

/** Permissions of a GitHub App that the simulator checks. */
export type Permission =
  | "metadata"
  | "contents"
  | "administration"
  | "actions"
  | "actions_variables"
  | "members"
  | "issues"
  | "pull_requests"
  | "discussions"
  | "repository_hooks"
  | "secrets"
  | "dependabot_secrets"
  | "environments"
  | "organization_projects"
  | "gists";

/** Settings of a simulated GitHub. */
export type GithubSettings = {
  clientId: string;
  clientSecret: string;
  appId: number;
  appSlug: string;
  /** PEM public key that verifies the App's JWTs; null = no App key is registered. */
  appPublicKey: string | null;
  /** Callback URLs. A loopback URL matches on any port. */
  callbacks: readonly string[];
  tokenLifetimeMs: number;
  /** Requests per hour and user. */
  rateLimit: number;
  /** Maximum number of bytes in one push. */
  pushLimitBytes: number;
  /** Maximum size of one file in a push. */
  fileLimitBytes: number;
  /** Whether the App may change workflow files. */
  canWriteWorkflows: boolean;
  /** The App's permissions except `workflows`. Absent permissions are not granted. */
  permissions: Readonly<Partial<Record<Permission, "read" | "write">>>;
  /** Content that one user may create per minute and per hour before the secondary limit applies. */
  contentPerMinute: number;
  contentPerHour: number;
  /** Concurrent requests that one viewer may have. */
  maxConcurrent: number;
  /** GraphQL points per hour and user. */
  graphqlLimit: number;
  /**
   * Whether the issue import accepts the App's tokens. It is unproven that GitHub's does: it refuses fine-grained
   * tokens (gavinr/github-csv-tools#109), which have the same kind of permissions. It always accepts tokens with the
   * scope `repo`.
   */
  offersImportToApps: boolean;
  /** Time to import one issue. */
  importMs: number;
  /**
   * Bytes of a list or GraphQL response that GitHub produces within its ten-second timeout (docs: troubleshooting
   * the REST API, timeouts). The real figure depends on the data; by default nothing times out.
   */
  mostBytesInTime: number;
  /** Node ids that GraphQL lists without showing them. Lists contain null in their place. */
  hiddenNodes: string[];
  /**
   * Fields that GraphQL fails to return, as regular expressions over `field.0.field`. They become null, with an error
   * that has no type.
   */
  brokenFields: string[];
  /** How long a link to a release asset or a signed picture is valid. */
  downloadMs: number;
  /** Folder of extra bare repositories `OWNER/NAME.git`. */
  gitRoot: string | null;
  /**
   * Checks a request against the published contract. Returns a sentence when it is wrong. Without a body, only the
   * query is checked.
   */
  checkRequest: ((method: string, url: string, body: unknown) => string | null) | null;
};

/** What every part of the simulator works with. */
export type GithubWorld = {
  state: GithubState;
  settings: GithubSettings;
  /** Folder of the bare repositories and hooks. */
  directory: string;
  webUrl: string;
  apiUrl: string;
  /** Where release assets are uploaded. GitHub uses a separate host. */
  uploadUrl: string;
  /** Where signed links point. It is another origin than the API's and refuses credentials. */
  storageUrl: string;
  records: RecordFiles;
  save(): void;
  refuse: RequestLog["refuse"];
  rate: Map<string, { used: number; resetAt: number }>;
  /** When each viewer created content, as epoch ms, oldest first. */
  creations: Map<string, number[]>;
  /** Number of running requests by viewer. */
  running: Map<string, number>;
  /** App permissions that were needed so far, as `name:level`. */
  needed: Set<string>;
  /** Pull requests whose mergeability has been computed since their last change. */
  mergeability: Set<string>;
  /** Signed links that have not expired. */
  downloads: Map<string, Download>;
};

/** The bytes behind a signed link. */
export type Download = { file: string; name: string; contentType: string; expiresAt: number };

/** An empty world. */
export function emptyState(): GithubState {
  return {
    nextId: 48_210_000,
    accounts: [],
    repositories: [],
    installations: [],
    codes: [],
    tokens: [],
    gists: [],
    attachments: [],
  };
}

/** Takes the next numeric id. Ids are unique across all kinds here, but clients must not rely on that. */
export function nextId(state: GithubState): number {
  state.nextId += 17;
  return state.nextId;
}

/** GitHub's timestamps have no fractional seconds. */
export function timestamp(epochMs: number = Date.now()): string {
  return new Date(epochMs).toISOString().replace(/\.\d{3}Z$/, "Z");
}

/** Finds an account by login, ignoring case. */
export function findAccount(world: GithubWorld, login: string): Account | null {
  const wanted = login.toLowerCase();
  return world.state.accounts.find((account) => account.login.toLowerCase() === wanted) ?? null;
}

/** Creates an account that has the App installed. */
export function createAccount(
  world: GithubWorld,
  account: Pick<Account, "type" | "login" | "name"> & Partial<Account>,
): Account {
  const created: Account = {
    id: nextId(world.state),
    description: null,
    email: null,
    location: null,
    createdAt: "2021-03-04T08:15:00Z",
    members: {},
    isSsoEnforced: false,
    ...account,
  };
  world.state.accounts.push(created);
  world.state.installations.push(createInstallation(world, created.login));
  world.save();
  return created;
}

/** An installation of the App on all repositories of an account. It takes effect once it is in the world's list. */
export function createInstallation(world: GithubWorld, login: string): Installation {
  return {
    id: nextId(world.state),
    account: login,
    repositoryIds: null,
    suspendedAt: null,
    createdAt: "2025-01-14T09:00:00Z",
  };
}
