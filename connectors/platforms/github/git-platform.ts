import type { GitPlatform } from "#connectors/toolkit/git/repository/git-platform.ts";
import { SECOND_MS } from "#core/kernel/clock.ts";

/** Path prefix of a repository's own git data in a snapshot. */
export const GIT = "git/";

/** Id of the view of its files. */
export const GIT_VIEW = "git";

/** Path prefix of its wiki. */
export const WIKI = "wiki/";

/** How git at GitHub differs from other platforms. */
export const gitPlatform: GitPlatform = {
  name: "GitHub",
  proposals: {
    refs: "refs/pull/",
    one: "pull request",
    branches: "pr/",
    branchKind: "pull-request-branch",
  },
  ownRefs: [],
  // A backup that dies keeps the parts that it has received. Parts of a history with tags, or one that is
  // cut, stay below GitHub's limit of a push.
  splitAboveBytes: 96 * 1024 ** 2,
  cutAboveBytes: 1024 ** 3,
  push: {
    mostBytes: 2 * 1024 ** 3,
    // GitHub sends no `push` event for a push of more branches than this (docs: webhook events, `push`).
    refsAtOnce: 5_000,
    // GitHub recommends at most six pushes a minute to one repository.
    unhurried: 6,
    spacingMs: 10 * SECOND_MS,
  },
  advice: {
    "push-protection":
      "The history holds a secret that GitHub's push protection blocks. Switch push protection off for the new repository (Settings, Advanced Security), restore again, then switch it on and revoke the secret.",
    "workflow-permission":
      "The history holds workflow files. Grant Holdfast's GitHub App the permission 'Workflows: write' and restore again.",
    "missing-lfs-object":
      "The history names files of Git LFS that this version lacks, because GitHub did not have them when it was taken. GitHub refuses pushes that name unknown files; the ZIP holds everything that was there.",
    "protected-ref":
      "A rule of the organisation protects this name. Lift it for the new repository and restore again.",
    "file-too-large": "GitHub takes no files above 100 MB. Download the ZIP: it holds them.",
    "unsound-objects":
      "The history holds objects that GitHub refuses in a push, as old tools or hands with bad intent wrote them. The ZIP holds everything, and plain git clones it.",
    "hidden-ref": "GitHub keeps these refs to itself.",
    "outside-folders":
      "Git servers take no refs that lie directly below refs/, such as refs/stash. The ZIP holds them.",
  },
};

/** `gitPlatform` for wikis and gists, which have no pull requests. */
export const wikiPlatform: GitPlatform = { ...gitPlatform, proposals: null };
