const names = (count: number) => `${count} ${count === 1 ? "name" : "names"}`;
const andMore = (others: number) => (others === 0 ? "" : ` and ${others} more`);

/** Text of the command palette. */
export const paletteCopy = {
  open: "Search",
  title: "Search and commands",
  placeholder: "Find an item, a page or a command",
  placeholderOf: {
    item: "Choose a version or a command",
    backUp: "Which item shall be backed up now?",
    restore: "Which item shall be restored?",
    names: "Find a card, an issue, a page or a file",
  },
  back: "Back to everything",
  groups: {
    items: "Items",
    commands: "Commands",
    versions: "Newest versions",
    pages: "Pages",
    names: "Inside the newest versions",
    found: "Found",
    further: "Not searched yet",
  },
  names: {
    scope: "Inside versions",
    search: (text: string) => `Find “${text}” inside versions`,
    searching: "Searching inside the newest versions…",
    further: "Search more items",
    again: "Try again",
    found: (count: number, items: number) =>
      `${names(count)} found inside the newest ${items === 1 ? "version of 1 item" : `versions of ${items} items`}.`,
    nothing: (text: string, items: number) =>
      items === 0
        ? "There is no version yet whose names can be searched."
        : `No name contains “${text}” inside the newest ${items === 1 ? "version of 1 item" : `versions of ${items} items`}.`,
    left: "Older ones were not searched yet.",
    more: (item: string, others: number) =>
      `More names match in ${item}${andMore(others)}. Type more of the name.`,
    cut: (count: number, item: string, others: number) =>
      `Of ${item}${andMore(others)}, the first ${count.toLocaleString("en")} names are searched.`,
    unindexed: (count: number) =>
      count === 1
        ? "1 item can be searched after its next check."
        : `${count} items can be searched after their next check.`,
  },
  backUp: "Backup now",
  restore: "Restore",
  restoreNewest: "Restore the newest version",
  history: "All versions",
  shortcuts: "Keyboard shortcuts",
  security: "Account Security",
  reporting: "Email Reporting",
  storage: "External Storage",
  newest: "newest",
  lastBackup: (ago: string) => `backed up ${ago}`,
  more: "More items match. Type more of the name.",
  nothing: (text: string) => `Nothing is called “${text}”.`,
  typeName: "Type the name of an item.",
  searching: "Searching",
  found: (count: number) => `${count} ${count === 1 ? "result" : "results"}`,
  reasons: {
    busy: "another action is running",
    gone: "gone at the platform",
    first: "no version yet",
    disconnected: "reconnect first",
    role: "ask an owner for Read/Write",
    plan: "Pro plan",
    again: (countdown: string) => `again in ${countdown}`,
  },
  keys: { choose: "choose", open: "open", close: "close", back: "back" },
} as const;

/** Text of the list of keyboard shortcuts. */
export const shortcutsCopy = {
  title: "Keyboard shortcuts",
  palette: "Search items, pages and commands",
  keys: "Show this list",
  search: "Go to the search of a list",
  rail: "Collapse or expand the sidebar",
  rows: "Move between the rows of a table",
  goTo: (label: string) => `Go to ${label}`,
  between: "then",
  single: "Shortcuts of single keys",
  singleNote: "Off, only those with Ctrl or ⌘ remain. It applies to this browser.",
} as const;
