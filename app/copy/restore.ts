/** Names for the entities on both sides of a matching. */
type Things = { one: string; many: string };

/** Text of the restore dialog (spec part 2 sections 5 and 8). */
export const restoreCopy = {
  title: (name: string) => `Restore ${name}`,
  description: {
    new: (one: string) => `Into a new ${one}. The original is not touched.`,
    existing: (one: string) => `Into a ${one} of the account. What is there stays; what comes back is added.`,
    any: (one: string) => `Into a new ${one}, or into one of the account, to which it is added.`,
  },
  /** A part of a version, by the view's name for it. */
  part: {
    open: { card: "Restore card", column: "Restore list" },
    description: {
      card: "The card is added where you choose. Nothing that is there is changed.",
      column: "The list is added with its cards where you choose. Nothing that is there is changed.",
    },
    ofNew: "With what belongs to it and nothing else.",
  },
  into: "Restore into",
  target: {
    choose: "Choose where it goes",
    loading: "Asking for what the account has",
    isSource: (name: string) => `${name} (where it was)`,
    existing: (many: string) => `${many.charAt(0).toUpperCase()}${many.slice(1)} of the account`,
    new: "New",
    aNew: (one: string) => `A new ${one}`,
    search: (many: string) => `Search ${many}`,
    more: "There are more: search for the one that you want.",
    /** Spec part 2 section 8. */
    same: (one: string) =>
      `Restoring to the same ${one} will result in duplicates. This action is irreversible.`,
  },
  version: "Version",
  latestGood: "latest good",
  verified: (time: string) => `verified ${time}`,
  verifyQueued: "check queued",
  verifyFailed: "check failed",
  chooseAnother: "Choose another",
  chooseLabel: "Version to restore",
  option: (date: string, size: string) => `${date}, ${size}`,
  loadingVersions: "Loading versions",
  noVersion: "There is no version that can be restored.",
  name: "New name",
  nameHint: (name: string) => `Left empty, the name is ${name}.`,
  unnamed: (one: string) => `A restored ${one} gets its name from the platform.`,
  nameTooLong: (limit: number) => `At most ${limit} characters.`,
  place: "Place",
  placeChoose: "Choose a place",
  emails: "Notify by e-mail",
  optional: "optional",
  emailsHint: "Several addresses: separate them with commas.",
  emailInvalid: "Invalid email format",
  emailAfterComma: "Please, write email after comma",
  emailsTooMany: (limit: number) => `At most ${limit} addresses.`,
  plan: {
    loading: "Counting what this version holds.",
    failed: (message: string) => `The forecast could not be made: ${message}. The restore works without it.`,
    retry: "Try again",
    changed: "What comes back changed",
    count: (count: number, isAbout: boolean) => `${isAbout ? "about " : ""}${count.toLocaleString("en-US")}`,
    cost: (calls: number, label: string, time: string) =>
      `About ${calls.toLocaleString("en-US")} ${calls === 1 ? "call" : "calls"} to ${label}, ${time} at its limits.`,
    paused: (label: string, time: string) =>
      `${label} asked us to wait until ${time}; the restore begins then.`,
    slower: (reason: string, calls: number, time: string) =>
      `${reason} Then it is about ${calls.toLocaleString("en-US")} calls and ${time}.`,
  },
  restorePlaces: {
    loading: (label: string) => `Asking ${label} for your places`,
    deleted: (label: string) => `The original is gone at ${label}, so every place of the account is offered.`,
    failed: "The other places of the account could not be asked for.",
    onlyOwn: "The places of the account could not be asked for, so it goes to the account's own.",
  },
  comesBack: "What comes back",
  missing: "What this version lacks",
  cannot: "What does not come back",
  questions: {
    legend: "Choices",
    loading: "Asking what has to be decided.",
    failed: (message: string) =>
      `The choices could not be asked for: ${message}. Without them the usual ones are taken.`,
    retry: "Try again",
    choose: "Choose one",
    tooLong: (most: number) => `At most ${most} characters.`,
  },
  matching: {
    before: "Backed up",
    after: "In the target",
    matched: (count: number, all: number) => `${count} of ${all} matched`,
    open: (count: number, { one, many }: Things) => `${count} ${count === 1 ? one : many} open`,
    of: (name: string) => `What takes over ${name}`,
    choose: ({ one }: Things) => `Choose a ${one}`,
    none: "Not matched",
    same: "same name",
    suggested: "suggested",
    noMatch: "no match",
    /** Spec part 2 section 5. */
    leave: ({ many }: Things) => `I don't want to match all or some of ${many}`,
  },
  publicSource:
    "The original is open to others. A version may hold content that was removed there later, so look at the copy before you open it.",
  skipped: (count: number) => `${count} parts of this version could not be backed up and are not in it.`,
  cancel: "Cancel",
  restore: "Restore",
  submitUnnamed: (one: string) => `Restore into a new ${one}`,
  submit: (name: string) => `Restore into ${name}`,
  started: "Your restore is now in process",
  see: "See it",
  failed: "Error on data restore. Try later",
  reasons: {
    busy: "Please wait until another element has completed its action.",
    place: "Choose a place first",
    target: "Choose where it goes first",
    questions: "Asking what has to be decided",
    choose: (label: string) => `Choose: ${label}`,
    invalid: "Correct the marked fields",
    version: "Choose a version first",
    firstBackup: "First backup not finished",
    forbidden: "This version cannot be restored",
  },
} as const;
