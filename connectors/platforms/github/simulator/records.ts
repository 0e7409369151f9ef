/** Everything in a repository that is not git, as plain JSON. Each repository has its own file. */
export type RepositoryRecords = {
  /** The next number for an issue, pull request or discussion, which share one sequence. */
  nextNumber: number;
  nextMilestone: number;
  nextProject: number;
  labels: Label[];
  milestones: Milestone[];
  /** Pull requests are issues too. */
  issues: Issue[];
  comments: IssueComment[];
  /** Absent = none. */
  commitComments?: CommitComment[];
  events: IssueEvent[];
  reviews: Review[];
  reviewComments: ReviewComment[];
  releases: Release[];
  categories: DiscussionCategory[];
  discussions: Discussion[];
  discussionComments: DiscussionComment[];
  projects: Project[];
  imports: IssueImport[];
  /** Numbers of deleted issues, which always return 410. */
  goneNumbers: number[];
  settings: RepositorySettings;
};

/** A reaction to a text. */
export type Reaction = { id: number; login: string; content: ReactionContent; createdAt: string };
/** GitHub's eight reactions, by REST's names. */
export const REACTIONS = ["+1", "-1", "laugh", "confused", "heart", "hooray", "rocket", "eyes"] as const;
/** One of the eight. */
export type ReactionContent = (typeof REACTIONS)[number];

/** A label. */
export type Label = {
  id: number;
  name: string;
  color: string;
  description: string | null;
  isDefault: boolean;
};

/** A milestone. Milestones have their own number sequence. */
export type Milestone = {
  id: number;
  number: number;
  title: string;
  description: string | null;
  state: "open" | "closed";
  creator: string;
  dueOn: string | null;
  createdAt: string;
  updatedAt: string;
  closedAt: string | null;
};

/** Why an issue is closed, or that it was opened again. */
export type StateReason = "completed" | "not_planned" | "duplicate" | "reopened";

/** An issue, or a pull request when `pull` is set. */
export type Issue = {
  id: number;
  number: number;
  title: string;
  body: string | null;
  author: string;
  state: "open" | "closed";
  stateReason: StateReason | null;
  labelIds: number[];
  assignees: string[];
  /** The milestone's number. */
  milestone: number | null;
  isLocked: boolean;
  lockReason: string | null;
  createdAt: string;
  updatedAt: string;
  closedAt: string | null;
  closedBy: string | null;
  reactions: Reaction[];
  commentCount: number;
  /** The number of the issue that it is a sub-issue of. */
  parent?: number;
  /** Numbers of the issues that block it. */
  blockedBy?: number[];
  pull: PullFacts | null;
};

/** The facts that make an issue a pull request. */
export type PullFacts = {
  /** Id as a pull request. Its id as an issue is different. */
  id: number;
  /** Owner of the head repository; null = the fork was deleted. */
  headOwner: string | null;
  headRef: string;
  headSha: string;
  baseRef: string;
  baseSha: string;
  isDraft: boolean;
  canMaintainerModify: boolean;
  mergedAt: string | null;
  mergedBy: string | null;
  mergeSha: string | null;
  requestedReviewers: string[];
  commits: number;
  additions: number;
  deletions: number;
  changedFiles: number;
};

/** A comment on an issue or pull request. */
export type IssueComment = {
  id: number;
  issue: number;
  author: string;
  body: string;
  /** Why it is hidden, e.g. `off-topic`; absent = it is shown. */
  minimizedAs?: string;
  createdAt: string;
  updatedAt: string;
  reactions: Reaction[];
};

/** A comment on a commit. */
export type CommitComment = {
  id: number;
  commit: string;
  author: string;
  body: string;
  path: string | null;
  /** The line in the diff, counted from its first line. */
  position: number | null;
  line: number | null;
  createdAt: string;
  updatedAt: string;
  reactions: Reaction[];
};

/** An event of an issue. `details` are rendered as they are, except that logins under `…Login` become users. */
export type IssueEvent = {
  id: number;
  issue: number;
  event: string;
  actor: string;
  createdAt: string;
  details: Record<string, unknown>;
};

/** A review of a pull request. */
export type Review = {
  id: number;
  pull: number;
  author: string;
  body: string;
  state: "PENDING" | "APPROVED" | "CHANGES_REQUESTED" | "COMMENTED" | "DISMISSED";
  commit: string;
  /** null while it is pending. */
  submittedAt: string | null;
  reactions: Reaction[];
};

/** A comment on a line or a file of a pull request. */
export type ReviewComment = {
  id: number;
  pull: number;
  /** The review it belongs to. */
  review: number;
  author: string;
  path: string;
  diffHunk: string;
  /** null = the line is outdated. */
  line: number | null;
  originalLine: number | null;
  startLine: number | null;
  side: "LEFT" | "RIGHT";
  subject: "line" | "file";
  commit: string;
  originalCommit: string;
  replyTo: number | null;
  /** Who resolved the conversation that it begins; absent = nobody. */
  resolvedBy?: string;
  body: string;
  createdAt: string;
  updatedAt: string;
  reactions: Reaction[];
};

/** A release. */
export type Release = {
  id: number;
  tag: string;
  target: string;
  name: string | null;
  body: string | null;
  isDraft: boolean;
  isPrerelease: boolean;
  author: string;
  createdAt: string;
  updatedAt: string;
  publishedAt: string | null;
  assets: ReleaseAsset[];
  reactions: Reaction[];
};

/** An asset of a release. Its bytes are in the simulator's folder. */
export type ReleaseAsset = {
  id: number;
  name: string;
  label: string | null;
  contentType: string;
  size: number;
  sha256: string;
  /**
   * False when the upload was interrupted. Such an asset is listed, and must be deleted before its name can be used
   * again.
   */
  isWhole: boolean;
  downloads: number;
  createdAt: string;
  updatedAt: string;
  uploader: string;
};

/** A category of discussions. */
export type DiscussionCategory = {
  id: number;
  name: string;
  emoji: string;
  description: string;
  isAnswerable: boolean;
};

/** A discussion. */
export type Discussion = {
  id: number;
  number: number;
  category: number;
  title: string;
  body: string;
  author: string;
  isLocked: boolean;
  closedAt: string | null;
  stateReason: "RESOLVED" | "OUTDATED" | "DUPLICATE" | "REOPENED" | null;
  /** The comment chosen as the answer. */
  answer: number | null;
  answeredBy: string | null;
  labelIds: number[];
  upvotes: number;
  createdAt: string;
  updatedAt: string;
  reactions: Reaction[];
};

/** A comment on a discussion, or a reply to one. */
export type DiscussionComment = {
  id: number;
  discussion: number;
  replyTo: number | null;
  author: string;
  body: string;
  /** As for comments of issues. */
  minimizedAs?: string;
  createdAt: string;
  updatedAt: string;
  upvotes: number;
  reactions: Reaction[];
};

/** A project (v2) that is linked to the repository. */
export type Project = {
  id: number;
  number: number;
  title: string;
  description: string | null;
  readme: string | null;
  isPublic: boolean;
  isClosed: boolean;
  creator: string;
  createdAt: string;
  updatedAt: string;
  fields: ProjectField[];
  items: ProjectItem[];
};

/** A field of a project. */
export type ProjectField = {
  id: number;
  name: string;
  type:
    | "TITLE"
    | "ASSIGNEES"
    | "LABELS"
    | "MILESTONE"
    | "REPOSITORY"
    | "TEXT"
    | "NUMBER"
    | "DATE"
    | "SINGLE_SELECT"
    | "ITERATION";
  options: { id: string; name: string; color: string; description: string }[];
  iterations: { id: string; title: string; startDate: string; duration: number }[];
};

/** An item of a project. */
export type ProjectItem = {
  id: number;
  type: "ISSUE" | "PULL_REQUEST" | "DRAFT_ISSUE";
  /** The issue's number; null for a draft. */
  number: number | null;
  draft: { title: string; body: string } | null;
  isArchived: boolean;
  creator: string;
  createdAt: string;
  updatedAt: string;
  /** Values by field id: text, number or date, or the id of an option or an iteration. */
  values: Record<string, string | number>;
};

/** A request to import an issue. Requests are processed in the order they arrived. */
export type IssueImport = {
  id: number;
  status: "pending" | "imported" | "failed";
  /** When it is processed, as epoch ms. */
  dueAt: number;
  by: string;
  order: unknown;
  number: number | null;
  errors: Record<string, string>[];
  createdAt: string;
  updatedAt: string;
};

/** Settings that only administrators can see. */
export type RepositorySettings = {
  /** By branch, as they were set. */
  protections: Record<string, Record<string, unknown>>;
  /** Patterns of classic rules that match no single branch by name. GraphQL shows them, REST does not. */
  protectedPatterns?: string[];
  /** As the API shows them; absent = none. */
  deployKeys?: ({ id: number; title: string } & Record<string, unknown>)[];
  autolinks?: {
    id: number;
    key_prefix: string;
    url_template: string;
    is_alphanumeric: boolean;
    updated_at: string;
  }[];
  rulesets: (Record<string, unknown> & { id: number; createdAt: string; updatedAt: string })[];
  hooks: Hook[];
  secrets: { name: string; createdAt: string; updatedAt: string }[];
  variables: { name: string; value: string; createdAt: string; updatedAt: string }[];
  environments: Environment[];
  collaborators: { login: string; role: "read" | "triage" | "write" | "maintain" | "admin" }[];
  /** Merge settings, by API name. */
  merging: Record<string, unknown>;
};

/** A webhook. */
export type Hook = {
  id: number;
  events: string[];
  isActive: boolean;
  config: Record<string, string>;
  createdAt: string;
  updatedAt: string;
};

/** A deployment environment. */
export type Environment = {
  id: number;
  name: string;
  waitMinutes: number;
  reviewers: string[];
  policy: { protected_branches: boolean; custom_branch_policies: boolean } | null;
  secrets: string[];
  variables: Record<string, string>;
  createdAt: string;
  updatedAt: string;
};

/** The labels of every new repository. */
const DEFAULT_LABELS: readonly [string, string, string][] = [
  ["bug", "d73a4a", "Something isn't working"],
  ["documentation", "0075ca", "Improvements or additions to documentation"],
  ["duplicate", "cfd3d7", "This issue or pull request already exists"],
  ["enhancement", "a2eeef", "New feature or request"],
  ["good first issue", "7057ff", "Good for newcomers"],
  ["help wanted", "008672", "Extra attention is needed"],
  ["invalid", "e4e669", "This doesn't seem right"],
  ["question", "d876e3", "Further information is requested"],
  ["wontfix", "ffffff", "This will not be worked on"],
];

/** The default discussion categories. */
const DEFAULT_CATEGORIES: readonly [string, string, string, boolean][] = [
  ["Announcements", ":mega:", "Updates from maintainers", false],
  ["General", ":speech_balloon:", "Chat about anything and everything here", false],
  ["Ideas", ":bulb:", "Share ideas for new features", false],
  ["Q&A", ":pray:", "Ask the community for help", true],
  ["Show and tell", ":raised_hands:", "Show off something you've made", false],
];

/**
 * The records of a new repository: default labels and categories only. Their ids derive from the repository's, so that
 * the records need not be stored until something changes.
 */
export function emptyRecords(repositoryId: number): RepositoryRecords {
  let last = repositoryId * 1_000;
  const nextId = () => {
    last += 1;
    return last;
  };
  return {
    nextNumber: 1,
    nextMilestone: 1,
    nextProject: 1,
    labels: DEFAULT_LABELS.map(([name, color, description]) => ({
      id: nextId(),
      name,
      color,
      description,
      isDefault: true,
    })),
    milestones: [],
    issues: [],
    comments: [],
    events: [],
    reviews: [],
    reviewComments: [],
    releases: [],
    categories: DEFAULT_CATEGORIES.map(([name, emoji, description, isAnswerable]) => ({
      id: nextId(),
      name,
      emoji,
      description,
      isAnswerable,
    })),
    discussions: [],
    discussionComments: [],
    projects: [],
    imports: [],
    goneNumbers: [],
    settings: {
      protections: {},
      rulesets: [],
      hooks: [],
      secrets: [],
      variables: [],
      environments: [],
      collaborators: [],
      merging: {},
    },
  };
}
