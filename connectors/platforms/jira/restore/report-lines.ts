import type { RestoreEvent } from "#connectors/contract/platform-connector.ts";
import type { Answers } from "./answers.ts";

/** What is known of a version before its restore begins. */
export type Known = {
  hasWorklogs: boolean;
  hasComments: boolean;
  /** Answers to the questions of the restore. */
  answers: Pick<Answers, "comments" | "worklogs" | "watchers">;
  isNew: boolean;
  isWhole: boolean;
};

/** Losses that every restore has; plan and report tell them in the same words. */
export function* knownLines({
  hasWorklogs,
  hasComments,
  answers,
  isNew,
  isWhole,
}: Known): Generator<RestoreEvent, void> {
  yield impossible("Keys of issues", "Jira numbers new issues itself; each names its old key.");
  yield impossible(
    "Dates and creators of issues",
    "Jira shows the connected account and the day of the restore.",
  );
  yield impossible("History of issues", "Jira's API takes no history; the backup keeps it.");
  yield impossible(
    "Uploaders and dates of files",
    "Jira shows the connected account and the day of the restore.",
  );
  yield impossible("Data that apps keep on issues", "The apps would not know the new issues.");
  yield impossible("Votes", "Jira takes a vote from its voter only.");
  if (hasComments && answers.comments) {
    yield changed("Authors and dates of comments", "A line above each comment names them.");
  }
  if (hasWorklogs && answers.worklogs) {
    yield changed("Authors of worklogs", "A line in each worklog names them; the time of the work is kept.");
  }
  if (!answers.watchers) yield impossible("Watchers", "The restore was asked to leave them out.");
  yield changed("Mentions of people", "They are written as names, so that nobody is notified.");
  yield changed(
    "Notifications",
    "Jira may still send e-mails about new issues and comments; administrators can mute the notification scheme during a restore.",
  );
  if (isNew) {
    yield impossible(
      "Workflows, screens, schemes and permissions",
      "The new project has those of its template; the backup lists the original ones.",
    );
  }
  if (isWhole)
    yield impossible(
      "Boards, filters and automation",
      "They belong to the site, not to issues; the backup lists boards and filters.",
    );
}

function impossible(what: string, reason: string): RestoreEvent {
  return { type: "impossible", what, reason };
}

function changed(what: string, reason: string): RestoreEvent {
  return { type: "changed", what, reason };
}
