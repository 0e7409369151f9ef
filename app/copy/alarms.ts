/** Text of alarms. */
export const alarmCopy = {
  acknowledge: "I have looked at it",
  kept: "The last version before it is kept until somebody says that they have looked.",
  compare: "See what changed",
  limits: {
    line: (percent: number, count: number) =>
      `An alarm is raised when a version lacks ${percent} % of a kind, such as issues or branches, or ${count.toLocaleString("en-US")} of them at once.`,
    change: "Change alarm",
    title: "When an alarm is raised",
    text: "Each new version is compared with the one before. Reaching either limit raises an alarm, and the version before is kept.",
    percent: "Percent of a kind",
    percentHint: "1 to 100. Kinds with fewer than 10 entries are not counted.",
    count: "Entries of a kind at once",
    countHint: "1 to 1,000,000, in a kind of any size.",
    percentError: "Enter a whole number from 1 to 100.",
    countError: "Enter a whole number from 1 to 1,000,000.",
    defaults: "Use the default",
    save: "Save",
    saved: "Saved. The next version is compared by these limits.",
  },
} as const;
