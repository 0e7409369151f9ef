/** Text of the public page that says what the product does, proves and costs. */
export const welcomeCopy = {
  title: "Your team's work, kept day by day and proved restorable",
  lead: (platforms: string) =>
    `Holdfast backs up ${platforms} every 24 hours, checks that every version can be restored, and gives it back as a new item or as an open ZIP.`,
  ribbon: "Thirty days, each with a version that was checked",
  start: "Start your 14-day free trial",
  signIn: "Sign in",
  does: "What it does",
  promises: [
    {
      title: "Every 24 hours",
      text: "A version of every item you choose, in the storage region you choose, kept for 30 days, or 90 with Pro. It lists what the app did not hand out.",
    },
    {
      title: "Nothing is overwritten",
      text: "A restore makes a new item, says beforehand what comes back, and reports afterwards what did not.",
    },
    {
      title: "Yours without us",
      text: "A ZIP opens without Holdfast: real git repositories, JSON, CSV, Markdown and the files as they were.",
    },
  ],
  proves: "What it proves",
  provesNote:
    "Counts and times are measured by a command of the project, beside the named reference, in the same run.",
  proofs: [
    {
      figure: "100\u00a0%",
      text: "of a version's bytes are read back and compared with their hashes before it is called verified.",
    },
    { figure: "0", text: "objects are stored by a backup without a change." },
    { figure: "0.62", text: "of the time of git clone --mirror for the backup of a repository." },
    { figure: "0.63", text: "of the time of git push --mirror for its restore." },
  ],
  costs: "What it costs",
  costsNote:
    "The first 14 days of each app are free and need no card. Essential, paid monthly; a year costs a fifth less where it is offered.",
  price: (amount: string) => `from ${amount} a month`,
  upTo: (count: number, many: string) => `for up to ${count} ${many}`,
  each: (one: string) => `for each ${one}`,
  users: { one: "user", many: "users" },
} as const;
