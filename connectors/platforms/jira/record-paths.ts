import { padId } from "#connectors/toolkit/records/pad-id.ts";

type Id = string | number;

/**
 * Paths of a project's records. Jira's ids are numbers that grow, so padded ids sort by age. Ids of fields, people and
 * file names are never part of a folder's name.
 */
export const recordPaths = {
  project: "project.json",
  /** A part of the configuration that is read and stored whole, e.g. `workflows`. */
  setting: (name: SettingName) => `settings/${name}.json`,
  settings: "settings/",
  issueType: (id: Id) => `issue-types/${padId(id)}.json`,
  issueTypes: "issue-types/",
  status: (id: Id) => `statuses/${padId(id)}.json`,
  statuses: "statuses/",
  /** System fields have names as ids, custom fields `customfield_10010`. */
  field: (id: string) => `fields/${encodeURIComponent(id)}.json`,
  fields: "fields/",
  component: (id: Id) => `components/${padId(id)}.json`,
  components: "components/",
  version: (id: Id) => `versions/${padId(id)}.json`,
  versions: "versions/",
  filter: (id: Id) => `filters/${padId(id)}.json`,
  filters: "filters/",
  board: (id: Id) => `boards/${padId(id)}.json`,
  boards: "boards/",
  sprint: (id: Id) => `sprints/${padId(id)}.json`,
  sprints: "sprints/",
  /** Whose names the version holds; not shown to users. */
  person: (accountId: string) => `people/${encodeURIComponent(accountId)}.json`,
  people: "people/",
  /** The files of an issue that the version lacks; not shown to users. */
  lackingFiles: (issue: Id) => `lacking/${padId(issue)}.json`,
  lacking: "lacking/",
  issues: "issues/",
  issueFolder: (id: Id) => `issues/${padId(id)}/`,
  issue: (id: Id) => `issues/${padId(id)}/issue.json`,
  /** What has no time of change: watchers, voters, remote links, entity properties. */
  issueExtras: (id: Id) => `issues/${padId(id)}/extras.json`,
  comment: (issue: Id, id: Id) => `issues/${padId(issue)}/comments/${padId(id)}.json`,
  worklog: (issue: Id, id: Id) => `issues/${padId(issue)}/worklogs/${padId(id)}.json`,
  /** An entry of the history ("changelog" in the API). */
  change: (issue: Id, id: Id) => `issues/${padId(issue)}/changes/${padId(id)}.json`,
  /** The bytes of a file. Its facts are in the issue's record: `fields.attachment`. */
  attachment: (issue: Id, id: Id) => `issues/${padId(issue)}/attachments/${padId(id)}`,
} as const;

/** The account whose note (`recordPaths.person`) stands at a path. */
export const personAt = (path: string): string =>
  decodeURIComponent(path.slice(recordPaths.people.length, -".json".length));

/** Parts of the configuration. */
export type SettingName =
  | "roles"
  | "issue-type-scheme"
  | "workflows"
  | "screens"
  | "field-configuration"
  | "permissions"
  | "notifications"
  | "security"
  | "priorities"
  | "resolutions"
  | "link-types"
  | "features"
  | "properties"
  | "service-desk"
  | "not-kept";
