import type { RestoreWords } from "#connectors/contract/platform-ui.ts";

/** Texts of the restore dialog. */
export const restoreWords = {
  comesBack: {
    project: [
      "Every issue with its fields, parents before their children, in the order of the original.",
      "Descriptions, comments and logged work, each with its author and date in words.",
      "Files, and the pictures in texts that show them.",
      "Statuses, over the workflow of the target; for software projects you match the columns.",
      "Components, versions, open sprints, ranks and links. Mentions of old keys become the new ones.",
      "Issues are added to the project that you choose; what is there does not change.",
    ],
  },
  cannot: {
    project: [
      "Keys, dates, creators and histories: Jira gives every restored issue new ones. Each names its old key.",
      "Votes: Jira takes a vote from its voter only.",
      "Closed sprints: Jira cannot fill them again; labels name them.",
      "Workflows, schemes, permissions, boards and automation: they belong to the site or to the project that you choose.",
      "Values of fields that the target does not have are listed in the report.",
    ],
  },
  addsPart: { issue: "As a new issue with its sub-tasks, beside everything that is there." },
} satisfies RestoreWords;
