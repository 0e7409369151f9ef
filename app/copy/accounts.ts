/** Text about a platform's connected account (spec part 2 sections 4, 5 and 8). */
export const accountCopy = {
  title: "Connected account",
  listTitle: "Connected accounts",
  manage: "Manage",
  add: "Add another account",
  all: (count: number) => `All ${count} accounts`,
  waitsForCode: "Waiting for its code",
  remove: "Remove account",
  removal: {
    title: "Remove account",
    warning: (name: string, hasOthers: boolean) =>
      `All backups of ${name} are deleted at once and for good: every version, export and schedule. Nothing changes at the platform itself.${hasOthers ? " The other accounts are not affected." : " The subscription continues."}`,
    confirm: "Delete and remove",
    done: (name: string) => `${name} was removed`,
  },
  unconfirmed: "This account waits for its confirmation code. Nothing is read before that.",
  unconfirmedOther: (name: string) =>
    `${name} waits for its confirmation code, which was sent to the owner of the organisation.`,
  nothingRead: (name: string) => `Nothing of ${name} is read before it is confirmed.`,
  enterCode: "Enter code",
  tokenInvalid: (label: string) =>
    `${label} no longer accepts our access. All backups are paused until you reconnect; every version stays restorable.`,
  appDeleted: (label: string) => `${label}: The app was deleted. All backups are paused until you resume.`,
  appMissing: "Please install the GitHub app first before your email will be connected to the system",
  askOwner: "Only the owner of the organisation can do that.",
  autoAdd: (many: string) => `Protect new ${many} automatically`,
  autoAddHint: "Checked every hour, up to the plan's limit.",
  autoAdded: (names: readonly string[], count: number) =>
    count === 1
      ? `${names[0]} is new and protected now`
      : `${count} new items are protected now: ${names.slice(0, 2).join(", ")}${count > 2 ? ` and ${count - 2} more` : ""}`,
  autoAddWaiting: (waiting: number) =>
    waiting === 1 ? "1 new item exceeds the plan's limit" : `${waiting} new items exceed the plan's limit`,
  access: {
    title: "Access",
    state: { works: "Granted", lost: "No longer accepted", absent: "Not granted" },
    act: { works: "Renew", lost: "Renew", absent: "Grant" },
  },
  site: {
    act: "Connect this site",
    text: (platform: string) => `No sign-in is needed. You must administer ${platform}.`,
    refused: "The site could not be connected. Reload this page and try again.",
  },
  users: {
    title: "Licensed users",
    read: (count: number, day: string) =>
      `${count.toLocaleString("en-US")} ${count === 1 ? "user" : "users"}, read on ${day}`,
    unknown: "Not known yet",
    follows: "Read once a day. A subscription follows the number on each renewal.",
    kept: "The number could not be read since then. This one counts until it can.",
    never: "The number could not be read, so your subscription is not recalculated.",
  },
  people: {
    title: "Closed accounts",
    unreported: (platform: string) =>
      `We could not report to ${platform} whose names the backups hold. The name of somebody who closes their account there stays in new versions.`,
    act: (method: string) => `Grant or renew “${method}” above to change that.`,
    askOwner: "Only the owner of the organisation can change that.",
  },
  reconnect: "Reconnect",
  resume: "Resume backups",
  renew: "Renew access",
  change: "Change account",
  ownerOnly: "Only the owner of the organisation can reconnect or change the account.",
  install: "Install the app",
  installHint: "The page opens in a new tab. Come back here when the app is installed.",
  byName: "Connect an account by its name",
  form: {
    connectTitle: (label: string) => `Connect a ${label} account`,
    changeTitle: "Change account",
    name: "Account name",
    username: (label: string) => `${label} username`,
    consentNext: (label: string) =>
      `Next, ${label} asks this account for its consent. Any other account is refused.`,
    required: "This field is required",
    short: "At least 2 characters",
    save: "Save",
    goOn: (label: string) => `Continue at ${label}`,
    warning: (name: string) =>
      `All backups of ${name} are deleted at once and for good: every version, export and schedule. Nothing changes at the platform itself.`,
  },
  code: {
    title: "Enter the confirmation code",
    text: (name: string) =>
      `We sent a code to the owner's e-mail address. It confirms the account${name === "" ? "" : ` ${name}`}.`,
    label: "Confirmation code",
    hint: "6 digits, valid for 15 minutes",
    confirm: "Confirm",
    send: "Send a new code",
    sent: (to: string) => `A code was sent to ${to}`,
    confirmed: "The account is confirmed",
  },
} as const;
