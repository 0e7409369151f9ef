/** Text of the frame around every signed-in page. */
export const shellCopy = {
  skip: "Skip to content",
  main: "Main",
  menu: "Menu",
  breadcrumb: "Breadcrumb",
  dashboard: "Dashboard",
  connector: "App connector",
  subscriptions: "Subscriptions",
  audit: "Audit trail",
  profile: "Profile",
  support: "Support",
  opensNewTab: "opens in a new tab",
  contact: "Contact us",
  settings: "Settings",
  integrations: "Integrations",
  collapse: "Collapse",
  expand: "Expand",
  disconnected: "needs reconnecting",
  running: "running",
  home: "Holdfast, dashboard",
  profileOf: (initials: string, name: string) => `${initials}, profile of ${name}`,
  account: (name: string) => `${name}, account menu`,
  theme: "Theme",
  signOut: "Sign out",
  signingOut: "Signing out",
  reconnecting: "Reconnecting",
} as const;

/** "1 backup", "2 restores", "3 actions". */
export const jobWords = {
  backup: (count: number) => `${count} ${count === 1 ? "backup" : "backups"}`,
  restore: (count: number) => `${count} ${count === 1 ? "restore" : "restores"}`,
  mixed: (count: number) => `${count} backups and restores`,
  adding: (added: number, total: number) => `adding ${added} / ${total} items`,
  complete: "All done",
  /** Announced to screen readers. Only starts and ends: changing numbers would be announced all the time. */
  spoken: { backup: "Backing up", restore: "Restoring", mixed: "Backing up and restoring" },
} as const;

export const themeWords = {
  DEFAULT: "Default",
  LIGHT: "Light",
  DARK: "Dark",
  BLUE: "Blue",
  GREEN: "Green",
  INDIGO: "Indigo",
} as const;

export const inactivityCopy = {
  title: "Still there?",
  before: "You will be signed out in",
  after: "after 9 minutes without activity. Running backups continue.",
  /** Announced once; a countdown would interrupt the screen reader every second. */
  spoken: "You will be signed out in one minute because nothing was done for 9 minutes.",
  stay: "Stay signed in",
} as const;

/** Plan notices above a page. */
export const planCopy = {
  label: "Notices",
  trial: (days: number) => `${days} ${days === 1 ? "day" : "days"} left of your free trial`,
  trialEndsToday: "Your free trial ends today",
  limitTrial: "You have reached the backup limit on your free trial",
  limit: "You have reached the backup limit on your subscription",
  beyond: (used: number, limit: number) =>
    `You protect ${used.toLocaleString("en-US")} items, and your subscription includes ${limit.toLocaleString("en-US")}. The others are paused and keep their versions; the switches in the list choose which.`,
  usersChanged: (users: number, paid: number) =>
    `The user count on your account ${users > paid ? "increased" : "decreased"} to ${users.toLocaleString("en-US")}; ${paid.toLocaleString("en-US")} ${paid === 1 ? "is" : "are"} paid for. Your subscription is recalculated on renewal.`,
  usersBeyond: (users: number, most: number) =>
    `Your account has ${users.toLocaleString("en-US")} users. More than ${most.toLocaleString("en-US")} are on request; until we agree on a price, your subscription renews for ${most.toLocaleString("en-US")}.`,
  editSubscription: "Edit subscription",
  contact: "Contact us",
  endsSoon: (when: string) => `Your subscription ends today. Backups pause on ${when}.`,
  paused: (isTrial: boolean, until: string) =>
    `Your ${isTrial ? "free trial" : "subscription"} has ended. Backups are paused; what was backed up is kept until ${until}.`,
  removalAhead: (date: string) =>
    `Backups are paused, and everything that was backed up will be removed from ${date} on. Until then you can restore and download it.`,
  removed: (since: string) =>
    `Nothing has been paid for since the grace period ended on ${since}. Backups were or will be removed for inactivity.`,
  subscribe: "Subscribe now",
  upgrade: "Upgrade",
  renew: "Renew",
  dismiss: "Dismiss",
} as const;

/** The buy-subscription dialog (spec ). */
export const buyCopy = {
  trial: {
    title: "Your free trial has ended",
    text: "Scheduled backups are paused. Buy a subscription to continue; every version can be restored until the grace period ends.",
  },
  subscription: {
    title: "Your subscription has ended",
    text: "Scheduled backups are paused. Buy a subscription again to resume them; every version you have stays restorable until the grace period ends.",
  },
  buy: "Buy subscription now",
  close: "Close",
} as const;

export const maintenanceCopy = {
  title: "We'll be back very soon",
  text: "The product is under construction. Please try again in a few minutes.",
  kept: "Nothing that was backed up is affected.",
  again: "Try again",
  contact: "Contact Us",
} as const;

/** A platform that the installation is not set up for yet (spec A-112). */
export const comingSoonCopy = {
  title: (label: string) => `${label} backups coming soon`,
  text: (label: string) =>
    `Holdfast cannot back up ${label} yet. Once it can, connect it in the app connector; its first backup starts at once.`,
  back: "Dashboard",
  ask: "Contact us",
} as const;
