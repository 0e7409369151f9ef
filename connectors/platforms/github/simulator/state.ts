import type { RepositoryRecords } from "./records.ts";
/** A file that somebody attached to a text in the browser. */
export type Attachment = {
  id: number;
  uuid: string;
  /** Pictures and videos are called by their UUID, other files by number and name. */
  isPicture: boolean;
  name: string;
  contentType: string;
  size: number;
  repositoryId: number;
};

/** The records of all repositories, one file each, so that a change in one does not rewrite the others. */
export type RecordFiles = {
  /** The records of a repository, read when they are first asked for. */
  of(repository: Repository): RepositoryRecords;
  /** Writes soon what was changed. */
  save(repository: Repository): void;
  /** Forgets and deletes. */
  drop(repository: Repository): void;
  /** Writes what is still unwritten. */
  flush(): void;
};

/** Everything that the simulated GitHub remembers; plain JSON, so that it survives a restart. */
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
  /** Its owner deleted the App: none of its tokens is worth anything. */
  isAppDeleted?: boolean;
};

/** A gist; its files are the head of a bare repository on disk. */
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

/** A comment below a gist. */
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
  /** The organisation enforces SAML and no token has been authorised for it. */
  isSsoEnforced: boolean;
  /** Private repositories of a free account have no branch protection and no rulesets. */
  isFreePlan?: boolean;
};

/** A repository; its git data is a bare repository on disk. */
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
  /** Absolute path of a bare repository below `SIM_GIT_ROOT`; null = kept in the simulator's own folder. */
  external: string | null;
  /** `owner/name` that once led here. */
  formerNames: string[];
  /** Blocked for legal reasons: answers 451. */
  isBlocked: boolean;
  /** Pushes with a secret in them are refused (GH013). */
  hasPushProtection: boolean;
  isDeleted: boolean;
  /** Deleted at GitHub while its files, which are not ours, stay where they are. */
  isHidden?: boolean;
};

/** The App installed on an account. */
export type Installation = {
  id: number;
  account: string;
  /** null = all repositories. */
  repositoryIds: number[] | null;
  suspendedAt: string | null;
  /** True while GitHub lists the installation and does not serve its repositories yet. */
  isSettlingIn?: boolean;
  createdAt: string;
};

/** A code of the OAuth web flow: one use, ten minutes. */
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
  /** Of the user; null for installation tokens. */
  login: string | null;
  installationId: number | null;
  /** Scopes asked for at the consent page; null = the App's permissions decide. */
  scopes: string[] | null;
  expiresAt: number;
  refreshToken: string | null;
  refreshExpiresAt: number;
  isRevoked: boolean;
};

/** Permissions of a GitHub App that the simulator asks for. */
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

/** How a simulated GitHub is set up. */
export type GithubSettings = {
  clientId: string;
  clientSecret: string;
  appId: number;
  appSlug: string;
  /** PEM that verifies the App's JWTs; null = no App key is registered. */
  appPublicKey: string | null;
  /** Callback URLs. A loopback URL matches on any port. */
  callbacks: readonly string[];
  tokenLifetimeMs: number;
  /** Requests per hour and user. */
  rateLimit: number;
  /** Bytes that one push may carry. */
  pushLimitBytes: number;
  /** Whether the App may change workflow files. */
  canWriteWorkflows: boolean;
  /** The App's permissions beside `workflows`; what is absent is not granted. */
  permissions: Readonly<Partial<Record<Permission, "read" | "write">>>;
  /** Texts that one user may create in a minute and in an hour before the secondary limit holds. */
  contentPerMinute: number;
  contentPerHour: number;
  /** Requests of one viewer that may run at the same time. */
  maxConcurrent: number;
  /** GraphQL's points per hour and user. */
  graphqlLimit: number;
  /**
   * Whether the import of issues takes tokens of the App. Nothing proves that GitHub's does: it refuses fine-grained
   * tokens (gavinr/github-csv-tools#109), whose permissions these have. Tokens with the scope `repo` it takes.
   */
  offersImportToApps: boolean;
  /** How long one imported issue takes. */
  importMs: number;
  /**
   * How many bytes of a list, or of an answer of GraphQL's, are made in the ten seconds after which GitHub gives up
   * (docs: troubleshooting the REST API, timeouts). It depends on the data; by default everything is made in time.
   */
  mostBytesInTime: number;
  /** Node ids of what GraphQL lists without showing it: null stands in its place. */
  hiddenNodes: string[];
  /** Fields that GraphQL fails to answer, as regular expressions over `field.0.field`: null, and an error without a type. */
  brokenFields: string[];
  /** How long a link to a release asset can be followed. */
  downloadMs: number;
  /** Folder of extra bare repositories `OWNER/NAME.git`. */
  gitRoot: string | null;
  /** Asks the published contract about a request; a sentence when it is wrong. Without a body: the query alone. */
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
  /** Where release assets are sent to; GitHub has a host of its own for that. */
  uploadUrl: string;
  /** Where bytes are fetched from by signed links: another origin than the API's, which refuses credentials. */
  storageUrl: string;
  records: RecordFiles;
  save(): void;
  refuse(refusal: {
    kind: "unknown" | "refused";
    method: string;
    path: string;
    status: number;
    reason: string;
  }): void;
  rate: Map<string, { used: number; resetAt: number }>;
  /** When each viewer created texts, as epoch ms, oldest first. */
  creations: Map<string, number[]>;
  /** Requests that are running, by viewer. */
  running: Map<string, number>;
  /** Permissions of the App that were needed so far, each as `name:level`. */
  needed: Set<string>;
  /** Pull requests whose mergeability has been worked out since they last changed. */
  mergeability: Set<string>;
  /** Signed links that still lead somewhere. */
  downloads: Map<string, Download>;
};

/** Bytes that a signed link leads to. */
export type Download = { file: string; name: string; contentType: string; expiresAt: number };

/** A world without anybody in it. */
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

/** Takes the next numeric id; GitHub's ids are unique over all kinds here, which no client may rely on. */
export function nextId(state: GithubState): number {
  state.nextId += 17;
  return state.nextId;
}

/** GitHub's timestamps have no fraction. */
export function timestamp(epochMs: number = Date.now()): string {
  return new Date(epochMs).toISOString().replace(/\.\d{3}Z$/, "Z");
}

/** Finds an account; logins ignore case. */
export function findAccount(world: GithubWorld, login: string): Account | null {
  const wanted = login.toLowerCase();
  return world.state.accounts.find((account) => account.login.toLowerCase() === wanted) ?? null;
}

/** Makes an account; also the demo's way to people. */
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

/** The App on all repositories of an account; it counts once it is in the world's list. */
export function createInstallation(world: GithubWorld, login: string): Installation {
  return {
    id: nextId(world.state),
    account: login,
    repositoryIds: null,
    suspendedAt: null,
    createdAt: "2025-01-14T09:00:00Z",
  };
}
