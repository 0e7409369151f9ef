/** Text of the subscriptions, payments and audit pages. */
export const subscriptionsCopy = {
  title: "Subscriptions",
  columns: ["Platform", "Plan", "State", "Items", "Ends"],
  edit: "Edit subscription",
  tooLarge: (items: number) => `Above ${items.toLocaleString("en-US")} items: contact us`,
  none: "No platform was started yet.",
  connect: "Open the app connector",
  plans: { trial: "Trial", essential: "Essential", pro: "Pro", none: "None" },
  active: "Active",
  trialPeriod: "Trial period",
  ended: "Ended",
  open: "until cancelled",
  used: (used: number, limit: number) => `${used} of ${limit}`,
  history: "Payment history",
} as const;

export const checkoutCopy = {
  title: "Checkout",
  text: "Paying by card is not open yet. Tell us which platform you want to protect and how many items, and we set the subscription up for you; until then nothing is charged.",
  memberText: "Only the owner of the account can buy or change a subscription. Please ask them.",
  contact: "Contact us",
  back: "Subscriptions",
} as const;

export const paymentsCopy = {
  title: "Payment history",
  text: "No payment has been made.",
  back: "Back to Subscriptions",
} as const;

export const auditCopy = {
  title: "Audit trail",
  columns: ["When", "Who", "What", "Platform", "Subject"],
  none: "Nothing was recorded yet.",
} as const;

/** Display text of audit actions. Actions without an entry are shown by name. */
export const auditWords: Readonly<Record<string, string>> = {
  login: "Signed in",
  logout: "Signed out",
  "sign-up": "Created the account",
  "invite-user": "Invited a user",
  "update-user": "Changed a user's rights",
  "remove-user": "Deleted a user",
  "accept-invitation": "Accepted an invitation",
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
  "change-region": "Changed the region and deleted the backups",
  "confirm-account": "Confirmed an account",
  "replace-token": "Replaced an access token",
  "enable-auto-add": "Switched adding new items on",
  "disable-auto-add": "Switched adding new items off",
  "auto-add-item": "Protected a new item by itself",
  "auto-add-limit": "Found new items without room on the plan",
  "connect-storage": "Connected a storage",
  "disconnect-storage": "Disconnected the storage",
  "copy-platform": "Switched copies to the storage on",
  "stop-copying-platform": "Switched copies to the storage off",
  "add-place": "Added a place",
  "add-item": "Protected an item",
  "delete-item": "Deleted an item and its backups",
  "activate-daily-backup": "Switched daily backups on",
  "deactivate-daily-backup": "Switched daily backups off",
  "backup-now": "Started a backup",
  "backup-all-now": "Started a backup of everything in a place",
  "restore-item": "Started a restore",
  "restore-part": "Started the restore of a part",
  "request-zip": "Asked for a ZIP",
  "download-zip": "Downloaded a ZIP",
  "request-clone-address": "Asked for an address to clone from",
  "acknowledge-alarm": "Looked at an alarm",
  "download-part": "Downloaded a part of a version",
};
