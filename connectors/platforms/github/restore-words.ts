import type { RestoreWords } from "#connectors/contract/platform-ui.ts";

/** Text shown before a restore. */
export const restoreWords = {
  comesBack: {
    repository: [
      "Every branch, tag and note with its full history, commit for commit.",
      "Issues and pull requests under their own numbers, with comments, reviews, labels and milestones.",
      "Releases with their files.",
      "The default branch, description, website and topics.",
      "Private repositories stay private; the original is never changed.",
    ],
  },
  cannot: {
    repository: [
      "GitHub shows your account as the author of everything; each text starts with its original author and date, and nobody is notified.",
      "Pull requests that are merged, closed or from a fork are restored as issues, and so are discussions.",
      "Events, reactions, projects, rules, webhooks and values of secrets stay in the version; its ZIP lists them.",
      "GitHub refuses pushes to pull request refs; their commits can be restored as branches named pr/1, pr/2 and so on.",
      "Stars, watchers and forks belong to other people and stay with the original.",
      "GitHub Actions are switched off in the new repository until you switch them on.",
      "A public or internal repository is restored as private; you can change it afterwards.",
    ],
  },
  addsPart: {
    issue: "As a new issue with the next free number. Labels that the repository lacks are made.",
    "pull-request": "As a new issue with the next free number. Labels that the repository lacks are made.",
    file: "As a new branch with one commit on top of the default branch. No other branch changes.",
    folder:
      "As a new branch with one commit on top of the default branch. Files that the folder got since are not on it.",
    label: "Labels that the repository lacks are made. One that it has stays as it is.",
    discussion: "As a new, closed issue with the next free number.",
  },
} satisfies RestoreWords;
