/** The groups that the trail can be narrowed to, in the order of the screen. `failed` crosses the others. */
export const ACTION_GROUPS = [
  "backups",
  "restores",
  "downloads",
  "people",
  "settings",
  "payments",
  "sign-ins",
  "failed",
] as const;
export type ActionGroup = (typeof ACTION_GROUPS)[number];

/** What people read for each action, by group. */
const WORDS: Readonly<Record<Exclude<ActionGroup, "failed">, Readonly<Record<string, string>>>> = {
  backups: {
    "auto-add-item": "Protected a new item automatically",
    "auto-add-limit": "Found new items without room on the plan",
    "add-place": "Added a place",
    "add-item": "Protected an item",
    "delete-item": "Deleted an item and its backups",
    "activate-daily-backup": "Switched daily backups on",
    "deactivate-daily-backup": "Switched daily backups off",
    "backup-now": "Started a backup",
    "backup-all-now": "Started a backup of everything in a place",
    "pause-beyond-plan": "Paused items beyond the plan",
    "resume-within-plan": "Resumed items within the plan",
    "removal-ahead": "Announced the removal of backups whose plan had ended",
    "remove-lapsed": "Removed backups whose plan had ended",
    "acknowledge-alarm": "Looked at an alarm",
    "erase-version": "Erased a version",
    "change-alarm-limits": "Changed the limits of an item's alarms",
  },
  restores: {
    "restore-item": "Started a restore",
    "restore-part": "Started the restore of a part",
  },
  downloads: {
    "request-zip": "Asked for a ZIP",
    "download-zip": "Downloaded a ZIP",
    "request-clone-address": "Asked for an address to clone from",
    "download-part": "Downloaded a part of a version",
  },
  people: {
    "sign-up": "Created the account",
    "invite-user": "Invited a user",
    "update-user": "Changed a user's rights",
    "remove-user": "Deleted a user",
    "accept-invitation": "Accepted an invitation",
    "hand-over-ownership": "Handed the ownership over",
    "close-account": "Closed the account",
    "reopen-account": "Opened the account again",
  },
  settings: {
    "set-organisation-name": "Set the organisation's name",
    "set-account-type": "Set the account type",
    "change-profile": "Changed the name",
    "change-photo": "Changed the photo",
    "change-email-preferences": "Changed the e-mail reports",
    "change-password": "Changed the password",
    "recover-password": "Recovered the password",
    "enable-two-factor": "Switched two-factor authentication on",
    "disable-two-factor": "Switched two-factor authentication off",
    "renew-recovery-codes": "Renewed the recovery codes",
    "connect-account": "Connected an account",
    "change-account": "Changed the account and deleted its backups",
    "remove-account": "Removed the account and deleted its backups",
    "change-region": "Changed the region and deleted the backups",
    "confirm-account": "Confirmed an account",
    "replace-token": "Replaced an access token",
    "enable-auto-add": "Switched adding new items on",
    "disable-auto-add": "Switched adding new items off",
    "connect-storage": "Connected a storage",
    "disconnect-storage": "Disconnected the storage",
    "copy-platform": "Switched copies to the storage on",
    "stop-copying-platform": "Switched copies to the storage off",
  },
  payments: {
    "start-trial": "Started a trial",
    "trial-ending": "Announced the end of a trial",
    "buy-subscription": "Bought a subscription",
    "change-subscription": "Changed a subscription",
    "recalculate-subscription": "Recalculated a subscription for the number of users",
    "cancel-subscription": "Cancelled a subscription",
    "resume-subscription": "Took a cancellation back",
    "end-subscription": "Ended a subscription at once",
    "pay-invoice": "Paid an invoice",
    "change-card": "Changed the card",
    "change-company": "Changed the company's details",
    "payment-failed": "Could not collect a payment",
    "payment-corrected": "Heard of a refund, a dispute or a credit",
    "subscription-ending": "Announced the end of a subscription",
    "users-changed": "Announced a renewal for another number of users",
    "card-expiring": "Warned of a card that expires",
  },
  "sign-ins": {
    login: "Signed in",
    logout: "Signed out",
  },
};

const ALL = new Map(Object.values(WORDS).flatMap((words) => Object.entries(words)));

/** An action in the words of people. One that has none yet is its own name without dashes. */
export function actionWords(action: string): string {
  return ALL.get(action) ?? action.replaceAll("-", " ");
}

const GROUPS = new Map(
  Object.entries(WORDS).flatMap(([group, words]) =>
    Object.keys(words).map((action) => [action, group as keyof typeof WORDS] as const),
  ),
);

/** The group of an action, or null. */
export function groupOf(action: string): Exclude<ActionGroup, "failed"> | null {
  return GROUPS.get(action) ?? null;
}

/** The actions of a group. */
export function actionsOf(group: Exclude<ActionGroup, "failed">): string[] {
  return Object.keys(WORDS[group]);
}
