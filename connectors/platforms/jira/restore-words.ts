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
  guide: {
    label: "How To Restore",
    title: "How to restore a Jira project",
    steps: [
      "Choose a project to restore into. It may be empty: create one in Jira first if none fits, with the same work types and fields.",
      "Match Columns: for software projects, say which column of the target takes over each backed-up one. Equal names are matched already. Jira Service Management projects cannot match columns; their issues get the status of the same name, or one of the same kind.",
      "Start the restore. Every issue becomes a new one with a new key; what the project holds stays as it is.",
      "Restoring to the same project makes duplicates. To get a single issue back, open the version and restore that issue.",
      "When it is done, the report lists what came back and what Jira did not accept.",
    ],
  },
  assign: "Assign issues",
  unmatched: {
    service_desk: {
      what: "Jira Service Management projects cannot match columns.",
      instead: "Issues get the status of the same name, or one of the same kind.",
    },
  },
  counts: { kind: "issue", label: "Issues" },
  failed: "Unable to restore. Check your account to investigate any limitations.",
  addsPart: { issue: "As a new issue with its sub-tasks, beside everything that is there." },
} satisfies RestoreWords;
