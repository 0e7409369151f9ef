import type { RefusalCause } from "../push-report.ts";

/** What is peculiar to one platform's git repositories; everything else is git's own. */
export type GitPlatform = {
  /** The name in sentences, e.g. "GitHub". */
  name: string;
  /** The refs that the platform makes for proposed changes; null where there are none, as in wikis and snippets. */
  proposals: GitProposals | null;
  /** Folders of refs that the platform makes and keeps for itself, e.g. `refs/keep-around/`: no backup needs them. */
  ownRefs: readonly string[];
  /**
   * A first fetch above this size, in bytes, is made in parts, so that no git pack outgrows what one push to the
   * platform may carry.
   */
  splitAboveBytes: number;
  push: {
    /** Refs in one push: each push costs the receiver a walk over what it has. */
    refsAtOnce: number;
    /** Pushes to one repository that need no pause; later ones are spaced. */
    unhurried: number;
    spacingMs: number;
  };
  /** What the user can do about a refused ref, in sentences before the platform's own. */
  advice: Partial<Record<RefusalCause, string>>;
};

/** Refs of proposed changes: servers refuse pushes to them, so a restore offers branches in their place. */
export type GitProposals = {
  /** Their folder, e.g. `refs/pull/` or `refs/merge-requests/`; heads lie at `N/head`. */
  refs: string;
  /** What one of them is called, e.g. "pull request". */
  one: string;
  /** What the restored branches begin with, e.g. `pr/`. */
  branches: string;
  /** Kind of a restored branch in the report, e.g. `pull-request-branch`. */
  branchKind: string;
};
