import type { RestoreWords } from "#connectors/contract/platform-ui.ts";

/** Text shown before a restore. */
export const restoreWords = {
  placeTypes: { Organization: "Organisation" },
  comesBack: {
    repository: [
      "Every branch, tag and note with its full history, commit for commit.",
      "Issues and pull requests under their own numbers, with comments, reviews, labels and milestones.",
      "Releases with their files.",
      "The default branch, description, website and topics.",
      "Private repositories come back private; the original is never touched.",
    ],
  },
  cannot: {
    repository: [
      "GitHub names your account as the writer of everything; the real writer and the date stand on top of each text, and nobody is notified.",
      "Pull requests that are merged, closed or from a fork come back as issues; discussions too.",
      "Events, reactions, projects, rules, webhooks and values of secrets stay in the version; its ZIP lists them.",
      "GitHub refuses pushes to pull request refs; their commits can come back as branches named pr/1, pr/2 and so on.",
      "Stars, watchers and forks belong to other people and stay with the original.",
      "GitHub Actions are switched off in the new repository until you switch them on.",
      "A public or internal repository comes back private; you decide when to open it.",
    ],
  },
} satisfies RestoreWords;
