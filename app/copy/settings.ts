/** Text of the settings (spec part 1 section 2, Settings). Toasts, labels and questions are quoted from the spec. */
export const settingsCopy = {
  title: "Settings",
  tabs: {
    details: "User/Company Details",
    security: "Account Security",
    payment: "Payment Details",
    storage: "External Storage",
    users: "User Management",
    reporting: "Email Reporting",
  },
  pageTitle: (tab: string) => `${tab} · Settings · Holdfast`,
  saved: "Your changes were successfully saved",
  save: "Save",
  cancel: "Cancel",
  close: "Close",
  unchanged: "nothing changed",
  /** Title of every error dialog, in lower case as in the spec. */
  error: "error",
  unexpected: "Something went wrong in this page. Please reload it and try again.",
} as const;

export const detailsCopy = {
  user: "User details",
  firstName: "First name",
  lastName: "Last name",
  email: "Email",
  emailHint: "The address you sign in with.",
  photo: "Profile photo",
  photoHint: "PNG, JPG, JPEG or BMP, at most 1 MB.",
  choosePhoto: "Choose photo",
  changePhoto: "Change photo",
  accountType: "Account type",
  types: {
    User: { name: "User", text: "You work alone. Nobody else is invited." },
    Organization: { name: "Organization", text: "You invite colleagues and give each the rights they need." },
  },
  theme: "Theme",
  themeHint: "Default, Blue, Green and Indigo follow the light or dark of your system. Kept in this browser.",
} as const;

export const photoCopy = {
  title: "Profile photo",
  description: "Drag the square, or move it with the arrow keys.",
  alt: "The photo you chose",
  area: "Square that is kept. Move it with the arrow keys.",
  handles: {
    nw: "Top left corner: arrow keys change the size of the square",
    n: "Top edge: arrow keys change the size of the square",
    ne: "Top right corner: arrow keys change the size of the square",
    e: "Right edge: arrow keys change the size of the square",
    se: "Bottom right corner: arrow keys change the size of the square",
    s: "Bottom edge: arrow keys change the size of the square",
    sw: "Bottom left corner: arrow keys change the size of the square",
    w: "Left edge: arrow keys change the size of the square",
  },
  upload: "Save photo",
  wrongFormat: "Uploaded image must be one of the following formats: PNG, JPG, JPEG and BMP",
  tooLarge: "Please upload a photo smaller than 1 Mb",
  unreadable: "This photo cannot be read. Please choose another one.",
} as const;

export const companyCopy = {
  title: "Company and billing address",
  text: "Invoices are made out to this address.",
  name: "Company name",
  country: "Country",
  choose: "Choose",
  state: "State",
  region: "State or region",
  city: "City",
  line1: "Address line 1",
  line2: "Address line 2",
  optional: "optional",
  postalCode: "Postal code",
  vat: "VAT ID",
  vatKind: "Kind of tax ID",
  taxStatus: { pending: "being checked", verified: "verified", unverified: "not confirmed" },
  vatBegins: (prefix: string) => `Begins with ${prefix}`,
  often: "Often chosen",
  all: "All countries",
  required: "required",
  update: "Update billing address",
  updated: "Billing address was successfully updated",
} as const;

export const securityCopy = {
  password: "Change password",
  oldPassword: "Old password",
  oldTooLong: "Max length is 100",
  newPassword: "New password",
  confirm: "Confirm new password",
  mismatch: "Passwords don't match",
  change: "Change password",
  otherSessions:
    "Changing the password, or turning two-factor authentication on or off, signs you out everywhere except in this browser.",
  twoFactor: "Two-Factor Authentication",
  twoFactorText: "Besides the password, signing in asks for a code from an authenticator app on your phone.",
  on: "On",
  off: "Off",
  enable: "Enable",
  disable: "Disable",
  renew: "New recovery codes",
} as const;

export const twoFactorCopy = {
  titles: {
    enable: "Enable Two-Factor Authentication",
    disable: "Disable Two-Factor Authentication",
    renew: "New recovery codes",
  },
  scan: "Scan this code with your authenticator app.",
  qr: "QR code that adds this account to an authenticator app",
  byHand: "Or type this secret into the app",
  preparing: "Preparing the secret",
  copySecret: "Copy secret",
  copied: "Copied",
  copy: "Copy",
  code: "Code from the app",
  codeHint: "6 or 7 digits; they change every 30 seconds.",
  disableText: "Signing in will ask for your password alone. Your recovery codes stop working.",
  renewText: "The recovery codes you have now stop working, and ten new ones are made.",
  renewSubmit: "Make new codes",
  codes: "Recovery codes",
  codesText: "Each opens your account once when the authenticator is lost. They are shown only now.",
  copyCodes: "Copy recovery codes",
  download: "Download",
  fileTitle: (email: string) => `Holdfast recovery codes of ${email}. Each works once.`,
  fileName: "holdfast-recovery-codes.txt",
  keptThem: "I have kept them",
  enabled: "Two-factor authentication is on",
  disabled: "Two-factor authentication is off",
} as const;

export const paymentCopy = {
  title: "Payment method",
  text: "Your 14-day free trial needs no card. The card, plans and invoices of the account are among its subscriptions.",
  open: "Open Subscriptions",
  marketplace: "The marketplace that you got Holdfast from bills you. Card, plans and invoices are there.",
} as const;

export const settingsStorageCopy = {
  title: "External storage",
  text: "Every version can be copied into a storage of your own, as the open ZIP that you would download. Your region keeps its own whatever happens there.",
  connected: "Storage is connected",
} as const;

export const usersCopy = {
  organisation: "Organisation name",
  edit: "Edit",
  save: "Save",
  invite: "Send Invitation",
  seats: (left: number, all: number) => `${left} of ${all}`,
  seatsLeft: "invitations left",
  seatsUsed: (used: number, all: number) => `${used} of ${all} invitations used`,
  inviteText: "Colleagues sign in by themselves and see only the platforms you give them.",
  open: "Invite new user",
  noneLeft: "no invitations left",
  nameFirst: "give your organisation a name first",
  formTitle: { create: "Invite new user", edit: "Access rights" },
  email: "Email",
  emailInvalid: "Invalid email",
  rights: "Access rights",
  rightsLabel: { user: "Read only", admin: "Read/Write" },
  rightsOf: (platform: string, right: string) => `${platform}: ${right}`,
  needsPro: "Needs Pro",
  notConnected: "Not connected",
  submit: { create: "Send Invitation", edit: "Save" },
  reasons: {
    rights: { create: "choose a right", edit: "rights unchanged" },
    email: "enter an email",
    invalid: "invalid email",
  },
  help: "What the rights mean",
  helpLines: [
    {
      name: "Read only",
      text: "Sees items, versions and activity. Cannot back up, restore, download or delete.",
    },
    {
      name: "Read/Write",
      text: "Also backs up, restores, downloads, adds and deletes items of that platform.",
    },
    { name: "Neither", text: "The platform is not in their sidebar." },
  ],
  helpNote: "Nobody you invite sees payment details or this page.",
  users: "Users",
  columns: { name: "Name", status: "Status", rights: "Access rights", actions: "Actions" },
  states: { invited: "Invited", active: "Active" },
  noRights: "None",
  empty: "Nobody is invited yet.",
  show: "Show/Edit",
  showOf: (who: string) => `Show/Edit ${who}`,
  remove: "Delete",
  removeOf: (who: string) => `Delete ${who}`,
  removeTitle: "Delete user",
  removeAsk: "Are you sure you want to delete this user?",
  removeText: (who: string) => `${who} loses access at once. Backups are not affected.`,
  invited: "New user was successfully invited",
  updated: "User was successfully updated",
  removed: "User has been successfully deleted",
} as const;

/** Fields that confirm who is at the screen. */
export const proofCopy = {
  password: "Your password",
  code: "Code from the authenticator app",
  codeHint: "Or one of your recovery codes.",
} as const;

export const ownershipCopy = {
  title: "Ownership",
  text: "The owner decides about people, plans and payments. There is always exactly one.",
  open: "Hand over ownership",
  nobody: "nobody has joined yet",
  dialog:
    "The new owner may do everything, also change your rights or remove you. You stay a member with full rights on every platform. Plans, cards and invoices stay with the organisation; invoices are sent to the new owner. Only they can give the ownership back.",
  heir: "New owner",
  choose: "Choose a member",
  confirm: "Hand over",
} as const;

export const closingCopy = {
  title: "Close the account",
  text: "For everybody in it, and all of its backups. Whoever only wants to leave hands the ownership over instead.",
  facts: [
    { what: "Access", text: "Ends at once for you and everybody you invited. Open invitations become void." },
    {
      what: "Subscriptions",
      text: "End at once. What is paid is not refunded, and what is owed is not collected any more. To use up what is paid, cancel first and close the account later. What a marketplace sold you is cancelled there.",
    },
    {
      what: "Backups",
      text: "Stop now and are kept for 30 days. Then they are removed, with everything about the people.",
    },
    {
      what: "Change of mind",
      text: "Sign in within the 30 days, and the account is open again with all of its backups. A plan has to be bought anew. We write to you 14 and 2 days before the end.",
    },
    {
      what: "What stays",
      text: "Copies in your own storage. Invoices, which the law makes our payment provider keep. The record that there was an account, without names.",
    },
  ],
  before: "Whatever you want to keep, download before: every version is also a ZIP.",
  download: "Open the dashboard",
  open: "Close the account",
  dialog:
    "Everybody is signed out, backups stop, and subscriptions end without a refund. Signing in within 30 days opens the account again; after that everything is gone for good.",
  confirm: "Close the account",
  closed: {
    title: "The account is closed",
    text: "Everything is kept for 30 days. Sign in again within that time to keep the account.",
  },
} as const;

/** Shown when rights for a platform cannot be granted because it has no subscription (spec A-283). */
export const promptCopy = {
  title: (platform: string) => `Subscribe to ${platform}`,
  text: "This feature is only available with a Pro Plan subscription",
  more: (platform: string) =>
    `Access rights for ${platform} can be given with the Pro plan or while its trial runs.`,
  go: "Choose a plan",
} as const;

/** The platforms of the access-rights grid, in display order (spec A-014). */
export const reportingCopy = {
  master: "Email reports",
  masterText:
    "A summary of what was backed up and restored. Warnings about failures come at once, with or without it.",
  on: "On",
  off: "Off",
  frequency: "Frequency",
  frequencies: { daily: "Daily", weekly: "Weekly" },
  day: "Day of the report",
  /** In the order of the picker (spec A-182). */
  days: [
    { id: "sunday", code: "SU", name: "Sunday" },
    { id: "monday", code: "MO", name: "Monday" },
    { id: "tuesday", code: "TU", name: "Tuesday" },
    { id: "wednesday", code: "WE", name: "Wednesday" },
    { id: "thursday", code: "TH", name: "Thursday" },
    { id: "friday", code: "FR", name: "Friday" },
    { id: "saturday", code: "SA", name: "Saturday" },
  ],
  kinds: "Notification type",
  succeeded: "Successful Backups",
  succeededText: "Successful backups and restores",
  failed: "Failed Backups",
  failedText: "Failed backups and restores",
  isOff: "reports are off",
  noKind: "With neither of them there is nothing to report, so no e-mail is sent.",
} as const;
