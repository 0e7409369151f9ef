/** Text of the version history (spec part 2 section 2, Backup history page). */
export const historyCopy = {
  back: (many: string) => `All ${many}`,
  visit: (label: string) => `Visit ${label}`,
  restoreLatest: "Restore latest good",
  versions: "Versions",
  pageTitle: (name: string) => `${name} · Holdfast`,
  columns: {
    date: "Date",
    time: "Time",
    type: "Type",
    size: "Size",
    newSize: "Incremental size",
    status: "Status",
    verified: "Verified",
    kept: "Kept until",
    actions: "Actions",
  },
  tableName: (name: string) => `Versions of ${name}, newest first`,
  types: { backup: "Backup", restore: "Restore" },
  sizeUnknown: "Size not known",
  status: {
    success: "Success",
    failed: "Failed",
    queued: "Waiting",
    backingUp: "Backing up",
    restoring: "Restoring",
    skipped: (count: number) => `${count} skipped`,
    restored: "Restored",
    notes: (count: number) => `${count} ${count === 1 ? "note" : "notes"}`,
    incomplete: "Incomplete",
    erased: "Erased",
  },
  verify: {
    queued: "Queued",
    queuedLong: "The check of this version is queued",
    failed: "Check failed",
    word: "verified",
    unchangedSince: (time: string) => `${time}, in an earlier version; nothing has changed since`,
    intact: "bytes proved",
    intactLong: "Every byte is stored and its checksum proved; not all of it could be looked into",
    show: "Show what could not be looked into",
    unproven: "Proved byte for byte, but",
    failedText: "A part of this version could not be read back as it was stored.",
    failedKept: "Other versions are not touched.",
    failedDo: "Take a new backup, and contact us before you rely on this version.",
  },
  copies: {
    waiting: "Waiting to be copied to your storage",
    waitingFor: (text: string) => `Waiting to be copied to your storage: ${text}`,
    copying: "Being copied to your storage",
    stored: (time: string, path: string) => `Copied to your storage ${time}: ${path}`,
    failed: (text: string, time: string | null) =>
      `Not copied to your storage. ${text} ${time === null ? "" : `Tried again ${time}.`}`.trim(),
  },
  compare: {
    hint: "Tick two versions to compare them.",
    label: "Ticked versions",
    tick: (version: string) => `Tick the version of ${version}`,
    ticked: (count: number) => `${count} ${count === 1 ? "version" : "versions"} ticked`,
    clear: "Clear",
    action: "Compare",
    second: "Tick a second one",
  },
  erased: (time: string) => `Erased ${time}. The audit trail says by whom.`,
  restoreObstacle: "ZIP and clone only.",
  unreachable: {
    what: (objects: number, size: string | null) =>
      size === null
        ? `Holds at least ${counted(objects, "commit", "commits")} that no branch or tag reaches.`
        : `Holds ${counted(objects, "object", "objects")} (${size}) that no branch or tag reaches.`,
    zip: "ZIP without them",
    where:
      "They were deleted or rewritten at the source. They lie in the ZIP, too, but a clone does not show them.",
  },
  skipped: {
    show: "Show what was skipped",
    title: "What could not be backed up, and why",
    more: (count: number) => `and ${count} more`,
  },
  report: { word: "Report", of: (version: string) => `Report of the restore of ${version}` },
  failed: {
    noReason: "The run ended without a version.",
    kept: "No half version is kept.",
    keptSince: (version: string) => `No half version is kept; the version of ${version} can be restored.`,
    next: (time: string) => `The next run is planned for ${time}.`,
    keptRestore: "The original and every version are untouched.",
    hint: (label: string) => `Check your ${label} account for missing rights or limits, then restore again.`,
  },
  facts: {
    versions: "Versions kept",
    oldest: (date: string) => `oldest ${date}`,
    noVersions: "none yet",
    latest: "Latest good",
    never: "Never",
    verified: (time: string) => `verified ${time}`,
    verifyQueued: "check queued",
    verifyFailed: "check failed",
    notVerified: "not checked yet",
    next: "Next run",
    paused: "Paused",
    pausedNote: "daily backup is off",
    deletedNote: (label: string) => `gone at ${label}, versions stay`,
    every: (hours: number) => `every ${hours} hours`,
    running: "Running now",
    size: "Size",
    growth: (change: string, count: number) => `${change} over ${count} versions`,
    noGrowth: "newest version",
    sizes: "Size of the last versions",
  },
  ribbon: { today: "Today", days: (count: number) => `${count} days` },
  plans: { trial: "Trial", essential: "Essential", pro: "Pro", none: "No plan" },
  folioPlan: (plan: string, hours: number) => `${plan}, every ${hours} hours`,
  gone: (label: string) => `Gone at ${label}`,
  empty: {
    title: "No version yet",
    running: "The first backup is running. Its version appears here when it ends.",
    waiting: "The first backup is planned. Its version appears here when it ends.",
    paused: "Daily backup is off for this item, so none is planned. Use Backup now in the list.",
  },
  emptyPage: "Nothing on this page.",
  firstPage: "Newest versions",
  note: (timeZone: string) =>
    `Verified means every object of the version was read back and compared with its hash. Times in ${timeZone}.`,
  loadFailed: "Error on data load. Try later",
  offline: "Reconnecting. What you see may be a little old.",
} as const;

/** Text of the ZIP action (spec P-219 to P-223, P-430, P-431). */
export const zipCopy = {
  word: "ZIP",
  request: "Request ZIP",
  again: "Request a new ZIP",
  preparing: "Preparing ZIP",
  ready: (left: string) => `ZIP, ${left} left`,
  readyName: (left: string) => `Download ZIP, ${left} left, opens in a new tab`,
  expired: "ZIP expired",
  failed: "ZIP failed",
  preparingTitle: "Your ZIP is being prepared",
  preparingText:
    "The zip download can take a few minutes depending on the size. We will send you an email once it is ready and available to download.",
  warning: "Warning",
} as const;

/** Text of the clone action. */
export const cloneCopy = {
  action: "Clone",
  title: (name: string) => `Clone ${name}`,
  description: (version: string) => `The version of ${version}, straight from the backup.`,
  preparing: "Preparing the address",
  label: "Run this where you want the repository",
  copy: "Copy",
  copied: "Copied",
  expires: (left: string, time: string) => `Works for another ${left}, until ${time}.`,
  expired: "This address has expired.",
  secret: "Whoever has this address can read this version. Keep it to yourself.",
  again: "New address",
} as const;

/** Text of erasing a version. */
export const eraseCopy = {
  of: (version: string) => `Erase ${version}`,
  title: "Erase this version?",
  confirm: "Erase version",
  text: (version: string) =>
    `The version of ${version} can then not be restored, downloaded or opened again, by anybody. Its row stays in the history, marked as erased, and the audit trail names you.`,
  later:
    "Other versions keep the data that they share with it. Erase those, too, to be rid of a secret. The next backup reads everything anew and takes over nothing.",
  bytes:
    "What no other version needs is deleted within three days, and its copy in your own storage is removed, too.",
  done: "The version was erased",
} as const;

/** Text of the scope viewer (spec part 2 section 2, Modals). */
export const scopeCopy = {
  view: "View scope",
  viewOf: (version: string) => `View scope, ${version}`,
  title: "Backup scope",
  of: (name: string, time: string) => `${name}, ${time}`,
  counts: (name: string, time: string, pages: number, tables: number) =>
    `${name}, ${time}: ${counted(pages, "page", "pages")} and ${counted(tables, "database", "databases")}`,
  search: "Search pages and databases",
  types: { page: "Page", table: "Database" },
  type: "Type",
  all: "All",
  pages: "Pages",
  tables: "Databases",
  noneOf: { page: "No pages.", table: "No databases." },
  outside: (label: string) => `Not in scope: what was not picked at ${label}.`,
  choose: (label: string) => `Choose at ${label}`,
  noResults: "No Search Results",
  noResultsFor: (search: string, of: number) => `for “${search}” among ${counted(of, "title", "titles")}.`,
  none: "The list of backup scope not available.",
  noneText: "This version has no list of its pages and databases.",
  nothingBelow: "Nothing below.",
  paused: "Not found so far.",
  searchOn: "Search on",
  open: "Open this version",
} as const;

function counted(count: number, one: string, many: string): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;
}
