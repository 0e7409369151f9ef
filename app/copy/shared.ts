/** Text that several screens share. */
export const dialogCopy = {
  close: "Close",
  cancel: "Cancel",
  /** The name of a dialog that has not come yet. */
  loading: "Loading",
} as const;

/** Shown next to text from a URL that is not ours. */
export const noticeCopy = {
  foreign: "The link that brought you here carries this text. It is not from Holdfast:",
} as const;

export const statusCopy = {
  protected: "Protected",
  disconnected: "Disconnected",
  backingUp: "Backing up",
  restoring: "Restoring",
  waiting: "Waiting",
  firstBackup: "First backup",
  failed: "Failed",
  alarm: "Alarm",
  stale: (age: string) => `Stale ${age}`,
  paused: "Paused",
  deleted: "Deleted",
} as const;

export const progressCopy = {
  of: (done: string, total: string) => `${done} of ${total}`,
  elapsed: (time: string) => `${time} elapsed`,
  left: (time: string) => `${time} left`,
  nearlyDone: "nearly done",
  waitingForSlot: "Waiting for a free slot",
  waitingForPlatform: (label: string, time: string) => `${label} asks us to wait; going on at ${time}`,
  tryingAgain: (fault: string, time: string) => `${fault} Trying again at ${time}.`,
  details: "Details",
  label: (name: string) => `Progress of ${name}`,
} as const;

const versionsText = (count: number) =>
  `${count.toLocaleString("en-US")} ${count === 1 ? "version" : "versions"}`;

export const ribbonCopy = {
  none: "No version yet",
  summary: (good: number, days: number) => `${good} of ${days} days good`,
  retried: (days: number) => `${days} after a retry`,
  failed: (days: number) => `${days} failed`,
  missed: (days: number) => `${days} missed`,
  paused: (days: number) => `${days} paused`,
  restored: (days: number) => `restored on ${days}`,
  running: "one running now",
  label: (summary: string) => `Days of the ribbon, ${summary}`,
  restoredFrom: "restored",
  states: {
    good: (count: number) => versionsText(count),
    retried: (count: number) => `${versionsText(count)}, after a retry`,
    failed: (count: number) => (count === 0 ? "failed" : `${versionsText(count)}, then failed`),
    missed: (count: number) => (count === 0 ? "missed" : `${versionsText(count)}, then missed`),
    paused: () => "paused",
    none: () => "no version yet",
    running: (count: number) => (count === 0 ? "running now" : `${versionsText(count)}, one running now`),
    expired: () => "no longer kept",
  },
  keys: {
    one: "one run a day",
    two: "two runs a day",
    retried: "after a retry",
    failed: "failed",
    missed: "missed",
    paused: "paused",
    restored: "restored",
    today: "today",
  },
} as const;

export const pagingCopy = {
  showing: (from: number, to: number, total: number) => `Showing ${from} to ${to} of ${total}`,
  previous: "Previous",
  next: "Next",
  label: "Pages",
} as const;

export const upgradeCopy = {
  title: "Pro plan needed",
  text: "This feature is only available with a Pro Plan subscription",
  kept: "Scheduled backups continue, and every version can still be restored.",
  reason: "Pro plan",
  go: "Upgrade",
} as const;

export const roleCopy = {
  reason: "Ask an owner for Read/Write",
  short: "read only",
  folio: "Read only, ask an owner for Read/Write",
} as const;

export const failureCopy = {
  error: "Error",
  warning: "Warning",
  editSubscription: "Edit subscription",
  load: "Error on data load. Try later",
  advice: "Please refresh the page or contact us.",
  kept: "Scheduled backups continue and nothing that was backed up is lost.",
  unexpected: "This page did not load.",
  script: "Part of the page could not be loaded. Check your connection, then reload the page",
  lost: "No connection",
  retrying: "Holdfast cannot be reached from this browser right now. This page reloads automatically.",
  refresh: "Refresh",
  cancel: "Cancel",
  contact: "Contact Us",
  request: "Request",
} as const;

export const notFoundCopy = {
  title: "This page does not exist",
  text: "The address may be mistyped, or what it showed was removed. Your backups are not affected.",
  back: "Go Back",
  home: "Dashboard",
} as const;
