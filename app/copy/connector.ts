/** Text of the app connector. */
export const connectorCopy = {
  title: "App connector",
  titleOf: (label: string, isConnected: boolean) => (isConnected ? `${label} account` : `Connect ${label}`),
  folio: "14-day free trial, no card",
  steps: { app: "Select application", region: "Data residency", authorize: "Authorize" },
  /** Titles why an account could not be connected (spec P-039). */
  userError: (label: string) => `${label} user error`,
  /** The heading of somebody who has connected nothing yet. */
  welcome: (name: string) => `Welcome, ${name}. What shall we keep safe first?`,
  welcomeText: "Choose one app now; the others take two minutes each, whenever you like.",
  covered: "What is covered, line by line",
  appQuestion: "Which application do you want to protect?",
  accountsOf: (label: string) => `${label} accounts`,
  addTitle: (label: string) => `Add a ${label} account`,
  regionOfAccount: "Where should the backups of this account live?",
  regionTextOfAccount: "Every version and every ZIP file of this account is kept there.",
  connectedCount: (count: number) => `${count} accounts connected`,
  connected: (account: string) => `Connected: ${account}`,
  revoked: "Needs reconnecting",
  notAllowed: "Ask an owner for Read/Write",
  ownerConnects: "Only the owner connects it",
  ownerConnectsText: (label: string) =>
    `Only the owner of the organisation connects ${label}: a consent there adds what is backed up.`,
  regionQuestion: (label: string) => `Where should your ${label} backups live?`,
  regionText: "Every version and every ZIP file of this platform is kept there.",
  stored: "Stored in",
  law: "Law",
  guarantee: "Guarantee",
  keeps: "The region cannot be moved later without losing backups.",
  keepsRest: "A change starts a new, empty record.",
  skip: "Skip",
  moved: (region: string) => `Backups live in ${region} now and start over`,
  move: {
    title: "Change the region",
    warning: (name: string, region: string) =>
      `Backups cannot be moved. All backups of ${name} are deleted at once and for good, and start over in ${region}. Nothing changes at the platform itself.`,
    confirm: "Delete and change",
  },
  choose: {
    title: (label: string) => `Choose from ${label}`,
    question: "Which accounts do you want to protect?",
    one: "Which account takes its place?",
    text: (region: string) => `Your consent covers these. What you choose is kept in ${region}.`,
    renews: "connected already",
    first: "Choose an account",
    later: "Not now",
    connect: (count: number) => (count > 1 ? `Connect ${count} accounts` : "Connect account"),
  },
  authorize: {
    new: {
      title: (label: string) => `Let Holdfast read your ${label} account`,
      text: (label: string) => `${label} asks for your consent and then brings you back.`,
    },
    lost: {
      title: (label: string) => `Let Holdfast back into ${label}`,
      text: () => "Backups continue where they stopped. No backup is lost.",
    },
    well: {
      title: (label: string) => `${label} is authorized`,
      text: () => "Nothing else is needed. Renewing the access loses nothing either.",
    },
  },
  authorizeAt: (label: string) => `Authorize ${label}`,
  openList: (many: string) => `Open ${many}`,
  facts: {
    region: "Region",
    reads: "Reads",
    readsText: (many: string) => `The ${many} that you choose, and nothing else.`,
    writes: "Writes",
    writesText: "Only what you restore, always as something new. The original is never touched.",
  },
  back: "Back",
  next: "Continue",
  save: "Save and continue",
  nextNote: (label: string) =>
    `Next: ${label} asks whether Holdfast may read what you choose to protect. A restore always creates something new and never touches the original.`,
} as const;
