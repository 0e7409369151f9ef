import type { RestoreWords } from "#connectors/contract/platform-ui.ts";

/** Texts of the restore dialog. */
export const restoreWords = {
  partlyPlace:
    "You are a maintainer of this group, not an owner: issues get the next free numbers, and issues and comments today's dates. Each text starts with its original date.",
  comesBack: {
    project: [
      "Every branch and tag with its full history, files of Git LFS, and the wiki.",
      "Issues with their numbers, dates and comments; labels, milestones, boards and releases.",
      "Open and closed merge requests whose branches exist; others are restored as issues.",
      "The project is private, in your own namespace or in a group that you choose; the original is never changed.",
    ],
    snippet: [
      "Every file with its full history, the title and the description.",
      "Comments of a project's snippet, with a line that names their authors.",
    ],
  },
  cannot: {
    project: [
      "Authors: GitLab gives every restored issue and comment to the connected account; a line names the author.",
      "Merged merge requests stay merged in git and are restored as closed issues.",
      "Members, values of CI/CD variables and secrets of webhooks are listed for you to enter again.",
      "CI/CD is switched off in the new project until you switch it on.",
    ],
    snippet: ["Comments of personal snippets: GitLab's REST API does not offer them."],
  },
  addsPart: {
    issue: "As a new issue with the next free number. Labels that the project lacks are made.",
    file: "As a new branch with one commit on top of the default branch. No other branch changes.",
    folder:
      "As a new branch with one commit on top of the default branch. Files that the folder got since are not on it.",
    label: "Labels that the project and its groups lack are made. One that is there stays as it is.",
    "merge-request": "As a new issue with the next free number. Labels that the project lacks are made.",
  },
} satisfies RestoreWords;
