/** Text of alarms. */
export const alarmCopy = {
  acknowledge: "I have looked at it",
  kept: "The last version before it is kept until somebody says that they have looked.",
  compare: "See what changed",
} as const;
