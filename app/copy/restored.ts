import { countText } from "#app/format/counts.ts";

/** Text of the page that reports a restore. */
export const restoredCopy = {
  pageTitle: (name: string) => `Restore of ${name} · Holdfast`,
  crumb: "Restore",
  crumbOf: (time: string) => `Restore of ${time}`,
  folio: (time: string, person: string | null) =>
    person === null ? `Restore of ${time}` : `Restore of ${time}, by ${person}`,
  verdict: {
    good: "Restored",
    notes: (count: number) => `Restored, with ${countText(count, "note", "notes")}`,
    missing: (count: number) => `Restored, ${count.toLocaleString("en-US")} missing`,
    goodMark: "Complete",
    missingMark: "Incomplete",
  },
  what: {
    of: "of",
    isNow: (kind: string) => `is now the ${kind}`,
    wasAdded: (kind: string) => `was added to the ${kind}`,
    as: "as",
    wasRestored: "was restored as",
    untouched: "The original was not touched.",
    kept: "What was there before is kept.",
    partOnly: "Only this part was restored.",
  },
  print: "Print or save as PDF",
  open: (label: string) => `Open at ${label}`,
  cards: {
    restored: "Came back",
    changed: "In another form",
    impossible: (label: string) => `Impossible at ${label}`,
    missing: "Missing",
    kinds: (count: number) => `things of ${countText(count, "kind", "kinds")}`,
    of: (count: number, all: number) => `${count.toLocaleString("en-US")} of ${all.toLocaleString("en-US")}`,
    compared: "Read back and compared",
    first: (what: string, more: number) =>
      more === 0 ? what : `${what}, and ${more.toLocaleString("en-US")} more`,
  },
  restored: {
    title: "What came back",
    kind: "Kind",
    held: "In the version",
    count: "Restored",
    state: "State",
    all: "All",
    none: "Nothing came back.",
  },
  notes: {
    title: "Notes",
    none: "Everything came back as it was.",
    marks: { missing: "Missing:", changed: "In another form:", impossible: "Left off:" },
  },
  moves: {
    title: "Where things are now",
    kind: "Kind",
    was: "Was",
    isNow: "Is now",
    find: "Find an old number or id",
    csv: (count: number) => `CSV, ${countText(count, "line", "lines")}`,
    fileName: (name: string) => `${name} where things are now.csv`,
    held: (held: number, all: number) =>
      `The report holds the first ${held.toLocaleString("en-US")} of ${all.toLocaleString("en-US")}.`,
    found: (count: number) => countText(count, "line found", "lines found"),
    noneFound: (text: string) => `Nothing here matches “${text}”.`,
  },
  showAll: (count: number) => `Show all ${count.toLocaleString("en-US")}`,
} as const;
