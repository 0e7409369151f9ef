import { padId } from "#connectors/toolkit/records/pad-id.ts";

type Id = string | number;
/** Folder of an issue or a pull request, which share one sequence of numbers. Comments and events belong to either. */
export type ThreadFolder = "issues" | "pulls";

/** Paths of the records in the snapshot of a repository or gist. */
export const recordPaths = {
  repository: "repository.json",
  label: (id: Id) => `labels/${padId(id)}.json`,
  milestone: (number: Id) => `milestones/${padId(number)}.json`,
  issue: (number: Id) => `issues/${padId(number)}/issue.json`,
  pull: (number: Id) => `pulls/${padId(number)}/pull.json`,
  thread: (thread: ThreadFolder, number: Id) =>
    thread === "issues" ? recordPaths.issue(number) : recordPaths.pull(number),
  comment: (thread: ThreadFolder, number: Id, id: Id) =>
    `${thread}/${padId(number)}/comments/${padId(id)}.json`,
  comments: (thread: ThreadFolder, number: Id) => `${thread}/${padId(number)}/comments/`,
  event: (thread: ThreadFolder, number: Id, id: Id) => `${thread}/${padId(number)}/events/${padId(id)}.json`,
  review: (number: Id, id: Id) => `pulls/${padId(number)}/reviews/${padId(id)}.json`,
  reviews: (number: Id) => `pulls/${padId(number)}/reviews/`,
  reviewComment: (number: Id, id: Id) => `pulls/${padId(number)}/review-comments/${padId(id)}.json`,
  commitComments: "commit-comments/",
  commitComment: (id: Id) => `${recordPaths.commitComments}${padId(id)}.json`,
  release: (id: Id) => `releases/${padId(id)}/release.json`,
  asset: (release: Id, id: Id) => `releases/${padId(release)}/assets/${padId(id)}`,
  /** An attached file is stored in the folder of its thread or release, and is deleted with it. */
  attachment: (parent: string, key: string) =>
    `${parent.slice(0, parent.lastIndexOf("/"))}/attachments/${key}`,
  discussion: (number: Id) => `discussions/${padId(number)}/discussion.json`,
  discussionComment: (number: Id, id: Id) => `discussions/${padId(number)}/comments/${padId(id)}.json`,
  project: (number: Id) => `projects/${padId(number)}/project.json`,
  projectItem: (number: Id, id: Id) => `projects/${padId(number)}/items/${padId(id)}.json`,
  settings: "settings/",
  setting: (name: string) => `${recordPaths.settings}${name}.json`,
  gist: "gist.json",
  gistComment: (id: Id) => `comments/${padId(id)}.json`,
} as const;
