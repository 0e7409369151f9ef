import type { RefusalCause } from "../push-report.ts";

/** The specifics of a platform's git repositories. */
export type GitPlatform = {
  /** The name in messages, e.g. "GitHub". */
  name: string;
  /** The refs that the platform creates for proposed changes; null = none, as in wikis and snippets. */
  proposals: GitProposals | null;
  /** Folders of the platform's internal refs, e.g. `refs/keep-around/`: no backup needs them. */
  ownRefs: readonly string[];
  /** A first fetch above this size, in bytes, is split, so that each git pack fits into one push to the platform. */
  splitAboveBytes: number;
  /**
   * Above this size, in bytes, it is split by its history where it has too few tags. Such a part has no ref of its own
   * that could be pushed where a platform refuses the helper tag, so only what would be too large otherwise is cut.
   */
  cutAboveBytes: number;
  push: {
    /** Larger packs are refused; absent = the platform's limit is not known. */
    mostBytes?: number;
    /** Refs per push: each push makes the receiver walk over its objects. */
    refsAtOnce: number;
    /** Number of pushes to one repository without a pause; later ones are spaced. */
    unhurried: number;
    spacingMs: number;
  };
  /** What the user can do about a refused ref; shown before the platform's own message. */
  advice: Partial<Record<RefusalCause, string>>;
};

/** Refs of proposed changes: servers refuse pushes to them, so a restore can create branches instead. */
export type GitProposals = {
  /** Their folder, e.g. `refs/pull/` or `refs/merge-requests/`; heads are at `N/head`. */
  refs: string;
  /** Singular name, e.g. "pull request". */
  one: string;
  /** Prefix of the restored branches, e.g. `pr/`. */
  branches: string;
  /** Kind of a restored branch in the report, e.g. `pull-request-branch`. */
  branchKind: string;
};
