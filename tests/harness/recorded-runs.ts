/**
 * Rows of parked runs, recorded from earlier versions of the code. Runs in flight during a deployment must continue.
 * Never change a line here; record a new form beside it.
 */

/** Cursor of a backup of a GitHub repository, between two settings. */
export const RECORDED_BACKUP = {
  connector: {
    part: "settings",
    cursor: 1,
    isWhole: false,
    next: {
      version: 1,
      marks: { issues: "2025-01-06T00:45:00Z", events: "0" },
      counts: { issues: 45, pulls: 0 },
    },
    notes: {
      totals: { issues: 45, pulls: 0, labels: 9, milestones: 0, releases: 0 },
      issues: "/v////8/",
      pulls: "",
      reactedPulls: "",
      commentCounts: {},
      areChangesKnown: true,
    },
  },
  draft: {
    version: 1,
    segments: [
      {
        id: "obj_rr31dtsm1kqjgssfy0tpd57k5g",
        sizeBytes: 21869,
        hash: "fbd6747511013eff163645ad7855e0cf79296b988f277cf4b4012566f6b95565",
      },
    ],
  },
  manifestId: null,
};

/** Cursor of a check that has read every byte. */
export const RECORDED_CHECK_OF_BYTES = { stage: "bytes", at: { object: 10 } };

/** Cursor of a check that has indexed the first git pack. */
export const RECORDED_CHECK_OF_MEANING = {
  stage: "meaning",
  at: { prefix: "git/", packsDone: 1, unproven: [], isBegun: false },
  scratch: {},
};

/** Cursor of a copy to S3 that has uploaded its parts. */
export const RECORDED_COPY = {
  layoutId: "obj_q0ffebkkv4yxvwcqpjb6vgcj9n",
  put: { uploadId: "0d63a7b1b8a74ae398bcf703440c111c", partBytes: 8388608, parts: 2 },
};

/** Order of a restore. Its cursor is always null because it continues from its journal. */
export const RECORDED_ORDER = {
  name: "again",
  place: { externalId: "48210017", nodeId: "U_kgDONDgyMTAwMTc", name: "nora-lindqvist", type: "User" },
  emails: ["a@b.example"],
  options: {},
  takenAt: 1795384706966,
};

/** Report of a restore. */
export const RECORDED_REPORT = {
  item: {
    externalId: "48210901",
    name: "again",
    fullName: "nora-lindqvist/again",
    webUrl: "http://127.0.0.1:40061/nora-lindqvist/again",
  },
  restored: { repository: 1, branch: 2, tag: 3, note: 1, label: 9, issue: 45, comment: 0 },
  changed: [
    {
      what: "GitHub Actions are switched off",
      reason: "So that restored workflows do not run by themselves. Switch them on under Settings, Actions.",
    },
  ],
  impossible: [
    {
      what: "1 pull request ref (refs/pull/*/head)",
      reason:
        "GitHub takes no pushes to pull request refs. Restore again with 'pull requests as branches' to bring their commits back as pr/N.",
    },
  ],
  mapped: [],
  mappedCount: 0,
};
