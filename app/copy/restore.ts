import { countText } from "#app/format/counts.ts";

/** Names for the entities on both sides of a matching. */
type Things = { one: string; many: string };
/** What is counted beside entities of the version. */
type Counted = Things & { isEstimate: boolean };

const aboutText = (isEstimate: boolean, text: string) => (isEstimate ? `about ${text}` : text);

/** Text of the restore dialog (spec part 2 sections 5 and 8). */
export const restoreCopy = {
  title: (name: string) => `Restore ${name}`,
  description: {
    new: (one: string) => `Into a new ${one}. The original is not changed.`,
    existing: (one: string) =>
      `Into a ${one} of the account. Existing content stays; the restored content is added.`,
    any: (one: string) => `Into a new ${one}, or added to an existing one of the account.`,
  },
  /** A part of a version, by the platform's name for it. */
  part: {
    open: (one: string) => `Restore ${one}`,
    description: (one: string) =>
      `The ${one} is added where you choose, with what belongs to it. Nothing that is there is changed.`,
    ofNew: "With what belongs to it and nothing else.",
  },
  into: "Restore into",
  target: {
    choose: "Choose a target",
    loading: "Loading the items of the account",
    isSource: (name: string) => `${name} (original)`,
    existing: (many: string) => `${many.charAt(0).toUpperCase()}${many.slice(1)} of the account`,
    new: "New",
    aNew: (one: string) => `A new ${one}`,
    search: (many: string) => `Search ${many}`,
    more: "There are more: use the search.",
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
    loading: "Calculating the forecast.",
    failed: (message: string) => `The forecast failed: ${message}. The restore works without it.`,
    retry: "Try again",
    changed: "Restored with changes",
    count: (count: number, isAbout: boolean) => `${isAbout ? "about " : ""}${count.toLocaleString("en-US")}`,
    cost: (calls: number, label: string, time: string) =>
      `About ${calls.toLocaleString("en-US")} ${calls === 1 ? "call" : "calls"} to ${label}, ${time} at its limits.`,
    paused: (label: string, time: string) =>
      `${label} asked us to wait until ${time}; the restore starts then.`,
    slower: (reason: string, calls: number, time: string) =>
      `${reason} Then it is about ${calls.toLocaleString("en-US")} calls and ${time}.`,
  },
  restorePlaces: {
    loading: (label: string) => `Loading your places from ${label}`,
    deleted: (label: string) =>
      `The original was deleted at ${label}, so you can choose any place of the account.`,
    failed: "The other places of the account could not be loaded.",
    onlyOwn: "The places of the account could not be loaded. The restore uses the account's own place.",
  },
  comesBack: "What is restored",
  missing: "Missing from this version",
  cannot: "Not restored",
  questions: {
    legend: "Choices",
    loading: "Loading the choices.",
    failed: (message: string) =>
      `The choices could not be loaded: ${message}. The restore uses the defaults.`,
    retry: "Try again",
    choose: "Choose one",
    tooLong: (most: number) => `At most ${most} characters.`,
  },
  matching: {
    before: "Backed up",
    after: "In the target",
    matched: (count: number, all: number) => `${count} of ${all} matched`,
    count: (count: number) => count.toLocaleString("en-US"),
    counted: (count: number, all: number, { one, many, isEstimate }: Counted) =>
      aboutText(isEstimate, `${count.toLocaleString("en-US")} of ${countText(all, one, many)}`),
    openCount: (count: number, { one, many, isEstimate }: Counted, things: Things) =>
      `Open: ${aboutText(isEstimate, countText(count, one, many))} without a ${things.one} in the target.`,
    open: (count: number, { one, many }: Things) => `${count} ${count === 1 ? one : many} open`,
    of: (name: string) => `Match for ${name}`,
    choose: ({ one }: Things) => `Choose a ${one}`,
    none: "Not matched",
    same: "same name",
    suggested: "suggested",
    noMatch: "no match",
    /** Spec part 2 section 5. */
    leave: ({ many }: Things) => `I don't want to match all or some of ${many}`,
  },
  publicSource:
    "The original is open to others. A version may hold content that was removed there later, so check the copy before you make it public.",
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
    target: "Choose a target first",
    questions: "Loading the choices",
    choose: (label: string) => `Choose: ${label}`,
    invalid: "Correct the marked fields",
    version: "Choose a version first",
    firstBackup: "First backup not finished",
    forbidden: "This version cannot be restored",
    disconnected: "Reconnect the account first",
  },
} as const;
