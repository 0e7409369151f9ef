import { progressCopy } from "./shared.ts";

const plural = (count: number, one: string, many: string) => (count === 1 ? one : many);
const joined = (names: readonly string[]) =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;

/** Text of the page about everything that runs. */
export const runsCopy = {
  title: "Runs",
  byItself: "updates live",
  headline: (ended: number, total: number) =>
    `${ended.toLocaleString("en-US")} of ${total.toLocaleString("en-US")}`,
  headlineSmall: (total: number) =>
    plural(total, "item of this round is done", "items of this round are done"),
  running: (count: number, waiting: number, labels: readonly string[]) => {
    const running = `${count} running`;
    if (waiting === 0) return running;
    if (waiting === count) return `${running}, waiting for ${joined(labels)}`;
    return `${running}, ${waiting === 1 ? "one" : waiting} of them ${plural(waiting, "waits", "wait")} for ${joined(labels)}`;
  },
  provider: "the provider",
  toCome: (count: number, last: string | null) =>
    last === null ? `${count} to come` : `${count} to come, the last at ${last}`,
  failed: (count: number) => `${count} failed`,
  hint: "One cell an item, in the order of the round. Point at a cell to read it, or use the arrow keys.",
  tooMany: "This round has too many items to draw each; the bar shows their shares.",
  roundLabel: (text: string) => `Items of the round: ${text}`,
  summary: {
    good: (count: number) => `${count} backed up`,
    retried: (count: number) => `${count} after a retry`,
    failed: (count: number) => `${count} failed`,
    running: (count: number) => `${count} running`,
    waiting: (count: number) => `${count} waiting`,
    toCome: (count: number) => `${count} to come`,
  },
  cells: {
    good: (time: string) => `backed up ${time}`,
    retried: (time: string) => `backed up ${time}, after a retry`,
    failed: (time: string, text: string | null) =>
      text === null ? `failed ${time}` : `failed ${time}. ${text}`,
    running: (since: string) => `running since ${since}`,
    runningPart: (percent: number, left: string) => `${percent} % done, ${progressCopy.left(left)}`,
    waiting: (label: string, until: string | null) =>
      until === null ? `waits for ${label}` : `waits for ${label} until ${until}`,
    queued: (time: string) => `in the queue since ${time}`,
    due: (time: string) => `due at ${time}`,
  },
  now: {
    title: "Running now",
    places: (most: number) => `up to ${most} backups at a time for each account`,
    kinds: { backup: "Backup", restore: "Restore", export: "ZIP" },
    left: progressCopy.left,
    nearlyDone: progressCopy.nearlyDone,
    label: (name: string) => `The whole run of ${name}`,
    asked: (label: string) => `${label} asks us to wait until`,
    kept: "What is fetched is kept; it goes on by itself.",
    startsIn: (time: string) => `starts again in ${time}`,
    starting: "Starting",
    nothing: "Nothing is running.",
    next: (date: string | null, time: string) =>
      `The next backup is due ${date === null ? "" : `on ${date} `}at ${time}.`,
    noneDue: "No backup is planned.",
  },
  queue: {
    title: "Queue",
    estimates: "times are estimates from the last 3 runs",
    empty: "Nothing waits.",
    more: (count: number) => `and ${count.toLocaleString("en-US")} more`,
    reasons: {
      first: "first backup",
      own: (time: string) => `asked by you ${time}`,
      asked: (time: string) => `asked for ${time}`,
      retry: (next: number, most: number) => `retry ${next} of ${most}`,
      schedule: "on schedule",
      followUp: "follows another backup",
      restore: "restore",
      export: "ZIP",
    },
    when: {
      starts: "starts now",
      next: "next",
      nextAbout: (time: string) => `next, about ${time}`,
      after: (name: string) => `after ${name}`,
      notBefore: (time: string) => `not before ${time}`,
      due: (time: string) => `at ${time}`,
    },
  },
  done: {
    title: "Done",
    label: "Runs that ended today, newest first",
    columns: ["Ended", "Item", "Result", "Took", "Status"],
    all: (count: number) => `All ${count.toLocaleString("en-US")} of today`,
    fewer: "Newest only",
    empty: "Nothing has ended today.",
    nothingNew: "nothing new",
    newBytes: (size: string) => `${size} new`,
    skipped: (count: number) => `${count.toLocaleString("en-US")} skipped`,
    zip: "ZIP is ready",
    restored: "restored",
    missing: (count: number) => `${count} ${plural(count, "thing is", "things are")} missing`,
    notes: (count: number) => `${count} ${plural(count, "note", "notes")}`,
    noReason: "It ended without giving a reason.",
    status: { success: "Success", notes: "With notes", incomplete: "Incomplete", failed: "Failed" },
  },
  limits: {
    title: "Limits of the providers",
    paused: (time: string) => `opens ${time}`,
    opens: (time: string) => `full again ${time}`,
    each: { second: "each second", minute: "each minute", hour: "each hour", day: "each day" },
    every: (time: string) => `every ${time}`,
    used: (used: string, of: string) => `${used} of ${of} calls used`,
    left: (left: string) => `${left} calls left`,
    asksToWait: "The provider asks us to wait.",
  },
} as const;

/** Text of the pill in the top bar, beside the words of its badge. */
export const pillCopy = {
  waits: (label: string, time: string) => `${label} from ${time}`,
  retries: (time: string) => `Again at ${time}`,
  backedUp: (count: number) => `${count} backed up`,
  restored: (count: number) => `${count} restored`,
  failed: (count: number) => `${count} failed`,
} as const;
