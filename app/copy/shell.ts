/** Words of the frame around every signed-in page. */
export const shellCopy = {
  skip: "Skip to content",
  main: "Main",
  menu: "Menu",
  breadcrumb: "Breadcrumb",
  dashboard: "Dashboard",
  connector: "App connector",
  integrations: "Integrations",
  collapse: "Collapse",
  expand: "Expand",
  disconnected: "needs reconnecting",
  running: "running",
  account: (initials: string, name: string) => `${initials}, account menu of ${name}`,
  theme: "Theme",
  signOut: "Sign out",
  reconnecting: "Reconnecting",
} as const;

/** "1 backup", "2 restores", "3 actions". */
export const jobWords = {
  backup: (count: number) => `${count} ${count === 1 ? "backup" : "backups"}`,
  restore: (count: number) => `${count} ${count === 1 ? "restore" : "restores"}`,
  mixed: (count: number) => `${count} backups and restores`,
  adding: (added: number, total: number) => `Adding ${added} of ${total}`,
  complete: "All done",
} as const;

export const themeWords = {
  DEFAULT: "Default",
  LIGHT: "Light",
  DARK: "Dark",
  BLUE: "Blue",
  GREEN: "Green",
  INDIGO: "Indigo",
} as const;
