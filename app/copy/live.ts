/** Words of what runs now (spec part 2 section 4). */
export const liveCopy = {
  single: { backup: "1 backup running", restore: "1 restore running" },
  backup: (count: number) => `${count} backups running`,
  restore: (count: number) => `${count} restores running`,
  mixed: (count: number) => `${count} backups and restores running`,
  complete: "All done",
  adding: (added: number, total: number) => `added ${added} of ${total}`,
  reconnecting: "Reconnecting",
} as const;
