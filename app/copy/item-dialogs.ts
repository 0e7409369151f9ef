/** Text of the dialogs on the item list. `one` and `many` are the platform's words for an item. */
export const deleteCopy = {
  titleOne: (name: string) => `Delete ${name}`,
  titleMany: (count: number, many: string) => `Delete ${count} ${many}`,
  what: "This deletes",
  versions: (versions: string, size: string) => `${versions}, ${size}`,
  rest: (label: string) => `, at once and for good. Nothing changes at ${label}.`,
  understand: "I understand",
  alternative: "Keep the versions instead and only stop the daily backup:",
  deactivate: "Deactivate instead",
  remove: "Delete",
} as const;

export const addItemsCopy = {
  title: (many: string) => `Add ${many}`,
  description: (many: string) => `The first backup starts at once. Choose the ${many} to protect.`,
  perConsent: (one: string) => `Each account opens one ${one}. Its first backup starts at once.`,
  another: (one: string, label: string) => `Another ${one} needs another consent at ${label}.`,
  connectAnother: "Connect another account",
  selected: (selected: number) => `${selected} selected`,
  left: (selected: number, left: number) => `${selected} selected, ${left} left on your plan`,
  add: (count: number, one: string, many: string) =>
    count === 0 ? `Add ${many}` : `Add ${count} ${count === 1 ? one : many}`,
  none: (many: string) => `choose ${many} first`,
  place: "Place",
  allPlaces: "All places",
  already: "already added",
  loading: "Loading more",
  loadingFirst: (label: string) => `Asking ${label} what there is`,
  empty: (many: string) => `There are no ${many} in this place.`,
  noMatch: (many: string, name: string) => `No ${many} match “${name}”.`,
  end: "That is all.",
  allAdded: (many: string) => `That is all; these ${many} are protected already.`,
  retry: "Try again",
  limitTitle: "Backup limit reached",
  limitText: "You have reached the backup limit on your current subscription.",
  limitTrial: "You have reached the backup limit on your free trial.",
  userLimitTitle: "User limit reached",
  userLimitText: "You have reached the user limit on your current subscription.",
  userLimitOwner: "Items can still be added; the subscription is recalculated on renewal.",
  userLimitMember: "Items can still be added; the owner of your organisation can raise it.",
  limitUpgrade: "Upgrade it to protect more, or delete what you no longer need.",
  limitSubscribe: "Subscribe to protect more, or delete what you no longer need.",
  limitAsk: "Ask the owner of your organisation to raise it.",
  started: (count: number, one: string, many: string) =>
    `${count} ${count === 1 ? one : many} added, first backup queued`,
} as const;

export const addPlaceCopy = {
  title: "Add place",
  description: (label: string) => `Places that your ${label} account can read.`,
  none: "Every place that your account can read is already added.",
  noneHint: "One is missing? Its owner may first have to allow the app.",
  add: "Add",
  chooseFirst: "choose a place first",
  done: (names: string) => `${names} added`,
} as const;

/** The accounts that a consent has opened, by name (spec P-011, P-288). */
export const chooseAccountCopy = {
  title: (label: string) => `Choose your ${label} workspace`,
  text: "Your consent covers these. One is connected now; add others in the app connector.",
  first: "Choose a workspace",
  connect: "Connect workspace",
} as const;

export const consentGuideCopy = {
  open: (label: string) => `Choose at ${label}`,
} as const;

export const placeGuideCopy = {
  note: "Holdfast reads; it writes only into the new item of a restore that you start.",
} as const;

export const firstChoiceCopy = {
  preselected: (count: number, one: string, many: string) =>
    `${count} ${count === 1 ? one : many} preselected`,
  others: "Choose others",
  start: (count: number) =>
    count === 0 ? "Back up now" : count === 1 ? "Back up this one now" : `Back up these ${count} now`,
} as const;
