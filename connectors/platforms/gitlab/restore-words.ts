import type { RestoreWords } from "#connectors/contract/platform-ui.ts";

/** Texts of the restore dialog. */
export const restoreWords = {
  placeTypes: { User: "your own namespace" },
  partlyPlace:
    "You are a maintainer of this group, not an owner: issues get the next free numbers, and issues and comments today's dates. A line on top of each text tells when it was written.",
  comesBack: {
    project: [
      "Every branch and tag with its full history, files of Git LFS, and the wiki.",
      "Issues with their numbers, dates and comments; labels, milestones, boards and releases.",
      "Open and closed merge requests whose branches exist; others come back as issues.",
      "The project is private, in your own namespace or in a group that you choose; the original is never touched.",
    ],
    snippet: [
      "Every file with its full history, the title and the description.",
      "Comments of a project's snippet, with a line that names their authors.",
    ],
  },
  cannot: {
    project: [
      "Authors: GitLab gives every restored issue and comment to the connected account; a line names who wrote it.",
      "Merged merge requests stay merged in git and come back as closed issues.",
      "Members, values of CI/CD variables and secrets of webhooks are listed for you to enter again.",
      "CI/CD is switched off in the new project until you switch it on.",
    ],
    snippet: ["Comments of personal snippets: GitLab's REST API does not offer them."],
  },
} satisfies RestoreWords;
