/** Sentences of the app connector. */
export const connectorCopy = {
  title: "App connector",
  titleOf: (label: string) => `Connect ${label}`,
  folio: "14-day free trial, no card",
  steps: { app: "Select application", region: "Data residency", authorize: "Authorize" },
  appQuestion: "Which application do you want to protect?",
  connected: (account: string) => `Connected: ${account}`,
  revoked: "Needs reconnecting",
  notAllowed: "Ask an owner for Read/Write",
  regionQuestion: (label: string) => `Where should your ${label} backups live?`,
  regionText: "Every version and every ZIP file of this platform is kept there.",
  stored: "Stored in",
  law: "Law",
  guarantee: "Guarantee",
  keeps: "The region cannot be moved later without losing backups.",
  keepsRest: "A change starts a new, empty record.",
  fixed: (region: string) => `This account keeps its region, ${region}. Reconnecting loses nothing.`,
  back: "Back",
  next: "Continue",
  save: "Save and continue",
  nextNote: (label: string) =>
    `Next: ${label} asks whether Holdfast may read what you choose to protect. A restore always creates something new and never touches the original.`,
} as const;
