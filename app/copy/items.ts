/** Sentences of the item list and its dialogs. `one` and `many` are the platform's words for an item. */
export const itemsCopy = {
  integrations: "Integrations",
  used: (used: number, limit: number) => `${used} of ${limit} used`,
  plans: { trial: "Trial", essential: "Essential", pro: "Pro", none: "No subscription" },
  trialLeft: (days: number) => `Trial, ${days} ${days === 1 ? "day" : "days"} left`,
  storage: "External storage",
  addPlace: "Add place",
  addItems: (many: string) => `Add ${many}`,
  backupNow: "Backup now",
  again: (countdown: string) => `again in ${countdown}`,
  againTooltip: (countdown: string) => `Backup now is open again in ${countdown}`,
  reconnectFirst: "Reconnect first",
  instructions: "How to set up an organisation",
  place: "Place",
  search: (many: string) => `Search ${many}`,
  inPlace: (total: number, one: string, many: string) => `${total} ${total === 1 ? one : many} in this place`,
  filter: "Filter",
  filters: {
    all: "All",
    failed: "Failed",
    stale: "Stale",
    never: "Never",
    paused: "Paused",
    deleted: "Deleted",
  },
  tokenInvalid: (label: string) =>
    `${label} no longer accepts our access. All backups are paused until you reconnect; every version stays restorable.`,
  reconnect: "Reconnect",
  connected: (label: string) => `${label} is connected`,
  timesNote: (kept: number, timeZone: string) => `Last 30 of ${kept} days kept. Times in ${timeZone}.`,
  timesNoteShort: (timeZone: string) => `Last 30 days. Times in ${timeZone}.`,
  sortUp: "Sort by name, A first",
  sortDown: "Sort by name, Z first",
  columns: {
    select: "Select the rows of this page",
    daily: "Daily backup",
    name: "Name",
    last: "Last backup",
    size: "Backup size",
    status: "Status",
    actions: "Actions",
  },
  selectRow: (name: string) => `Select ${name}`,
  dailyOf: (name: string) => `Daily backup of ${name}`,
  never: "-",
  added: (time: string) => `added ${time}`,
  remove: "Delete",
  view: "View",
  restore: "Restore",
  ofItem: (action: string, name: string) => `${action} ${name}`,
  more: (name: string) => `More actions for ${name}`,
  notYet: "Opens when the first version is complete",
  busy: "Please wait until another element has completed its action.",
  retry: "Retry",
  waiting: "Waiting for a free slot. Restore opens when the first version is complete.",
  firstWaiting: "Restore opens when the first version is complete.",
  queued: "Waiting for a free slot.",
  keptFrom: (time: string) =>
    `Nothing is lost: the version of ${time} is kept. Retry, or wait for the next scheduled backup.`,
  keptNone:
    "No version exists yet and nothing was changed at the platform. Retry, or wait for the next scheduled backup.",
  failedAt: (time: string) => `Failed ${time}: `,
  gone: (label: string, versions: string) =>
    `Gone at ${label}. ${versions} kept. You can still restore and download them.`,
  retried: (name: string) => `Backup of ${name} is queued`,
  dailyOn: (what: string) => `Daily backup is on for ${what}`,
  dailyOff: (what: string) => `Daily backup is off for ${what}`,
  undo: "Undo",
  backupsStarted: (count: number, one: string, many: string) =>
    `Backup of ${count} ${count === 1 ? one : many} is queued`,
  backupsNone: "Every backup of this place is already under way or used its window",
} as const;

export const selectionCopy = {
  label: "Selection",
  clear: "Clear selection",
  selected: (count: number) => `${count} selected`,
  all: (count: number) => `Select all (${count})`,
  tooMany: "up to 50",
  deactivate: "Deactivate",
  activate: "Activate",
  restore: "Restore",
  remove: "Delete",
  note: "Items with a running action cannot be selected.",
} as const;

export const deleteCopy = {
  titleOne: (name: string) => `Delete ${name}`,
  titleMany: (count: number, many: string) => `Delete ${count} ${many}`,
  what: "This deletes",
  versions: (versions: string, size: string) => `${versions}, ${size}`,
  rest: (label: string) => `, at once and for good. At ${label} itself nothing is touched.`,
  understand: "I understand",
  alternative: "Keep the versions instead and only stop the daily backup:",
  deactivate: "Deactivate instead",
  remove: "Delete",
  done: (count: number, one: string, many: string) =>
    count === 1 ? `1 ${one} was deleted` : `${count} ${many} were deleted`,
} as const;

export const addItemsCopy = {
  title: (many: string) => `Add ${many}`,
  description: (many: string) => `The first backup starts at once. Choose the ${many} to protect.`,
  left: (selected: number, left: number) => `${selected} selected, ${left} left on your plan`,
  add: (count: number, one: string, many: string) =>
    count === 0 ? `Add ${many}` : `Add ${count} ${count === 1 ? one : many}`,
  none: (many: string) => `choose ${many} first`,
  already: "already added",
  loading: "Loading more",
  loadingFirst: (label: string) => `Asking ${label} what there is`,
  empty: (many: string) => `There are no ${many} in this place.`,
  noMatch: (many: string, name: string) => `No ${many} match “${name}”.`,
  end: "That is all.",
  retry: "Try again",
  limitTitle: "Backup limit reached",
  limitText: "You have reached the backup limit on your current subscription.",
  limitTrial: "You have reached the backup limit on your free trial.",
  limitUpgrade: "Upgrade it to protect more, or delete what you no longer need.",
  limitSubscribe: "Subscribe to protect more, or delete what you no longer need.",
  limitAsk: "Ask the owner of your organisation to raise it.",
  started: (count: number, one: string, many: string) =>
    `${count} ${count === 1 ? one : many} added, first backup queued`,
} as const;

export const addPlaceCopy = {
  title: "Add place",
  description: (label: string) => `Organisations that your ${label} account can read.`,
  user: "personal account",
  organisation: "organisation",
  none: "Every place that your account can read is already added.",
  noneHint: "An organisation is missing? Its owner may first have to allow the app.",
  add: "Add",
  chooseFirst: "choose a place first",
  done: (names: string) => `${names} added`,
} as const;

export const storageCopy = {
  title: "External storage",
  text: "Backups into your own Dropbox, Google Drive or S3 bucket come with external storage. It cannot be connected yet.",
  kept: "Until then every version stays in your region, encrypted under your organisation's own key, and can be downloaded as an open ZIP at any time.",
} as const;

export const instructionsCopy = {
  title: (label: string) => `Set up an organisation on ${label}`,
  steps: (label: string) => [
    `Sign in to ${label} as an owner of the organisation.`,
    "In the organisation's settings, allow the Holdfast app to read its repositories, or approve the request that a member sent.",
    "Come back here and press Add place; the organisation is then in the list.",
  ],
  note: "Holdfast reads; it writes only into the new item of a restore that you start.",
} as const;

export const emptyCopy = {
  title: (label: string, many: string) => `${label} is connected. Choose the ${many} to keep.`,
  text: (every: string) =>
    `The first backup starts at once and shows its progress here; after that it runs every ${every} by itself.`,
  ribbon: "No day recorded yet; today is the first",
  today: "Today, the first page",
  account: "Account",
  region: "Region",
  included: "Comes back",
  notIncluded: "Cannot",
  preselected: (count: number, one: string, many: string) =>
    `${count} ${count === 1 ? one : many} preselected`,
  others: "Choose others",
  start: (count: number) => (count === 1 ? "Back up this one now" : `Back up these ${count} now`),
  nothing: (many: string) => `This place has no ${many} yet.`,
  noneMatching: (many: string, place: string, name: string) => `No ${many} in ${place} match “${name}”.`,
  noneFiltered: (filter: string) => `Nothing here is ${filter.toLowerCase()}.`,
  clearSearch: "Clear search",
  showAll: "Show all",
  thisPlace: "this place",
} as const;
