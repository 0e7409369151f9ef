/** Text of the dashboard. */
export const homeCopy = {
  title: "Dashboard",
  protectedItems: (counted: string) => `${counted} protected`,
  empty: "Nothing is protected yet",
  quiet: "Nothing needs attention",
  failed: (count: number) => `${count} failed`,
  stale: (count: number) => `${count} without a version from the last 26 hours`,
  never: (count: number) => `${count} waiting for the first backup`,
  revoked:
    "The platform no longer accepts our access. Reconnect the account; nothing that was backed up is lost.",
  reconnect: "Reconnect",
  open: (many: string) => `Open ${many}`,
  of: (account: string) => `of ${account}`,
  add: "Connect another platform",
  nothing: "Nothing is protected here yet. Whoever manages the application connects it.",
} as const;
