import type { GitPlatform } from "#connectors/toolkit/git/repository/git-platform.ts";
import { SECOND_MS } from "#core/kernel/clock.ts";

/** Prefix of an item's own git data in a version. */
export const GIT = "git/";

/** Id of the view of its files. */
export const GIT_VIEW = "git";
/** Prefix of the git data of a project's wiki. */
export const WIKI = "wiki/";

/** GitLab's git peculiarities. */
export const gitPlatform: GitPlatform = {
  name: "GitLab",
  proposals: {
    refs: "refs/merge-requests/",
    one: "merge request",
    branches: "mr/",
    branchKind: "merge-request-branch",
  },
  ownRefs: ["refs/keep-around/", "refs/environments/", "refs/pipelines/", "refs/tmp/"],
  // A backup that dies keeps the parts that it has received. gitlab.com accepts up to 5 GiB per push.
  splitAboveBytes: 96 * 1024 ** 2,
  cutAboveBytes: 1024 ** 3,
  push: { refsAtOnce: 5_000, unhurried: 10, spacingMs: 5 * SECOND_MS },
  advice: {
    "push-protection":
      "The history holds a secret that GitLab's push protection blocks. Switch secret push protection off for the new project (Secure, Security configuration), restore again, then switch it on and revoke the secret.",
    "missing-lfs-object":
      "The history names files of Git LFS that this version lacks, and GitLab refuses such pushes. The ZIP holds everything that was there: push it to a project in which Git LFS is switched off.",
    "protected-ref": "A rule protects this name. Lift it for the new project and restore again.",
    "file-too-large": "GitLab does not take files this large. Download the ZIP: it holds them.",
    "unsound-objects":
      "The history holds objects that GitLab refuses in a push, as old tools or hands with bad intent wrote them. The ZIP holds everything, and plain git clones it.",
    "hidden-ref": "GitLab keeps these refs to itself.",
    "outside-folders":
      "Git servers take no refs that lie directly below refs/, such as refs/stash. The ZIP holds them.",
  },
};

/** For wikis and snippets, which have no merge requests. */
export const plainGitPlatform: GitPlatform = { ...gitPlatform, proposals: null };
