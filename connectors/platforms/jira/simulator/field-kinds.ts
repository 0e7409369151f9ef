import type { Field } from "./state.ts";

/** How the values of a field are stored, read and shown. */
export type Kind =
  | "string"
  | "url"
  | "adf"
  | "number"
  | "date"
  | "datetime"
  | "option"
  | "options"
  | "cascade"
  | "user"
  | "users"
  | "group"
  | "groups"
  | "labels"
  | "project"
  | "version"
  | "versions"
  | "components"
  | "priority"
  | "resolution"
  | "security"
  | "parent"
  | "timetracking"
  | "sprint"
  | "rank"
  | "team"
  | "epic-link"
  | "derived";

/** What the API says about a field's values. */
export type FieldSchema = { type: string; items?: string };

type KindRow = { kind: Kind; schema: FieldSchema };

const PLAIN = "com.atlassian.jira.plugin.system.customfieldtypes:";
const AGILE = "com.pyxis.greenhopper.jira:";

/** The types of custom fields, by key. */
export const CUSTOM_KINDS: Readonly<Record<string, KindRow>> = {
  [`${PLAIN}textfield`]: { kind: "string", schema: { type: "string" } },
  [`${PLAIN}textarea`]: { kind: "adf", schema: { type: "string" } },
  [`${PLAIN}float`]: { kind: "number", schema: { type: "number" } },
  [`${PLAIN}datepicker`]: { kind: "date", schema: { type: "date" } },
  [`${PLAIN}datetime`]: { kind: "datetime", schema: { type: "datetime" } },
  [`${PLAIN}select`]: { kind: "option", schema: { type: "option" } },
  [`${PLAIN}radiobuttons`]: { kind: "option", schema: { type: "option" } },
  [`${PLAIN}multiselect`]: { kind: "options", schema: { type: "array", items: "option" } },
  [`${PLAIN}multicheckboxes`]: { kind: "options", schema: { type: "array", items: "option" } },
  [`${PLAIN}cascadingselect`]: { kind: "cascade", schema: { type: "option-with-child" } },
  [`${PLAIN}userpicker`]: { kind: "user", schema: { type: "user" } },
  [`${PLAIN}multiuserpicker`]: { kind: "users", schema: { type: "array", items: "user" } },
  [`${PLAIN}grouppicker`]: { kind: "group", schema: { type: "group" } },
  [`${PLAIN}multigrouppicker`]: { kind: "groups", schema: { type: "array", items: "group" } },
  [`${PLAIN}labels`]: { kind: "labels", schema: { type: "array", items: "string" } },
  [`${PLAIN}url`]: { kind: "url", schema: { type: "string" } },
  [`${PLAIN}project`]: { kind: "project", schema: { type: "project" } },
  [`${PLAIN}version`]: { kind: "version", schema: { type: "version" } },
  [`${PLAIN}multiversion`]: { kind: "versions", schema: { type: "array", items: "version" } },
  [`${PLAIN}readonlyfield`]: { kind: "derived", schema: { type: "string" } },
  [`${AGILE}gh-sprint`]: { kind: "sprint", schema: { type: "array", items: "json" } },
  [`${AGILE}gh-lexo-rank`]: { kind: "rank", schema: { type: "any" } },
  [`${AGILE}gh-epic-link`]: { kind: "epic-link", schema: { type: "any" } },
  [`${AGILE}jsw-story-points`]: { kind: "number", schema: { type: "number" } },
  "com.atlassian.teams:rm-teams-custom-field-team": { kind: "team", schema: { type: "team" } },
  "com.atlassian.jira.plugins.jira-development-integration-plugin:devsummarycf": {
    kind: "derived",
    schema: { type: "any" },
  },
  "com.atlassian.servicedesk:vp-origin": { kind: "derived", schema: { type: "sd-customerrequesttype" } },
  "jira.polaris:rating": { kind: "number", schema: { type: "number" } },
};

type SystemRow = { name: string; kind: Kind; schema: FieldSchema; clauseNames?: string[] };

/** Jira's own fields, by id. Those of kind `derived` cannot be set. */
export const SYSTEM_FIELDS: Readonly<Record<string, SystemRow>> = {
  summary: { name: "Summary", kind: "string", schema: { type: "string" } },
  description: { name: "Description", kind: "adf", schema: { type: "string" } },
  environment: { name: "Environment", kind: "adf", schema: { type: "string" } },
  issuetype: { name: "Work type", kind: "derived", schema: { type: "issuetype" } },
  project: { name: "Space", kind: "derived", schema: { type: "project" } },
  parent: { name: "Parent", kind: "parent", schema: { type: "issuelink" } },
  priority: { name: "Priority", kind: "priority", schema: { type: "priority" } },
  resolution: { name: "Resolution", kind: "resolution", schema: { type: "resolution" } },
  assignee: { name: "Assignee", kind: "user", schema: { type: "user" } },
  reporter: { name: "Reporter", kind: "user", schema: { type: "user" } },
  labels: { name: "Labels", kind: "labels", schema: { type: "array", items: "string" } },
  components: { name: "Components", kind: "components", schema: { type: "array", items: "component" } },
  fixVersions: { name: "Fix versions", kind: "versions", schema: { type: "array", items: "version" } },
  versions: { name: "Affects versions", kind: "versions", schema: { type: "array", items: "version" } },
  duedate: { name: "Due date", kind: "date", schema: { type: "date" } },
  security: { name: "Security Level", kind: "security", schema: { type: "securitylevel" } },
  timetracking: { name: "Time tracking", kind: "timetracking", schema: { type: "timetracking" } },
  status: { name: "Status", kind: "derived", schema: { type: "status" } },
  statusCategory: { name: "Status Category", kind: "derived", schema: { type: "statusCategory" } },
  statuscategorychangedate: {
    name: "Status Category Changed",
    kind: "derived",
    schema: { type: "datetime" },
  },
  creator: { name: "Creator", kind: "derived", schema: { type: "user" } },
  created: { name: "Created", kind: "derived", schema: { type: "datetime" } },
  updated: { name: "Updated", kind: "derived", schema: { type: "datetime" } },
  resolutiondate: { name: "Resolved", kind: "derived", schema: { type: "datetime" } },
  lastViewed: { name: "Last Viewed", kind: "derived", schema: { type: "datetime" } },
  attachment: { name: "Attachment", kind: "derived", schema: { type: "array", items: "attachment" } },
  issuelinks: { name: "Linked work items", kind: "derived", schema: { type: "array", items: "issuelinks" } },
  subtasks: { name: "Sub-tasks", kind: "derived", schema: { type: "array", items: "issuelinks" } },
  comment: { name: "Comment", kind: "derived", schema: { type: "comments-page" } },
  worklog: { name: "Log Work", kind: "derived", schema: { type: "array", items: "worklog" } },
  votes: { name: "Votes", kind: "derived", schema: { type: "votes" } },
  watches: { name: "Watchers", kind: "derived", schema: { type: "watches" } },
  workratio: { name: "Work Ratio", kind: "derived", schema: { type: "number" } },
  progress: { name: "Progress", kind: "derived", schema: { type: "progress" } },
  aggregateprogress: { name: "Σ Progress", kind: "derived", schema: { type: "progress" } },
  timespent: { name: "Time Spent", kind: "derived", schema: { type: "number" } },
  timeestimate: { name: "Remaining Estimate", kind: "derived", schema: { type: "number" } },
  timeoriginalestimate: { name: "Original estimate", kind: "derived", schema: { type: "number" } },
  aggregatetimespent: { name: "Σ Time Spent", kind: "derived", schema: { type: "number" } },
  aggregatetimeestimate: { name: "Σ Remaining Estimate", kind: "derived", schema: { type: "number" } },
  aggregatetimeoriginalestimate: {
    name: "Σ Original Estimate",
    kind: "derived",
    schema: { type: "number" },
  },
  issuerestriction: { name: "Restrict to", kind: "derived", schema: { type: "issuerestriction" } },
};

/** How a field's values are stored. */
export function kindOf(field: Field): Kind {
  return rowOf(field).kind;
}

/** What the API says about a field: `{ type, items?, system }` or `{ type, items?, custom, customId }`. */
export function schemaOf(field: Field): Record<string, unknown> {
  const { schema } = rowOf(field);
  return field.typeKey === null
    ? { ...schema, system: field.id }
    : { ...schema, custom: field.typeKey, customId: Number(field.id.replace("customfield_", "")) };
}

function rowOf(field: Field): KindRow {
  const row = field.typeKey === null ? SYSTEM_FIELDS[field.id] : CUSTOM_KINDS[field.typeKey];
  if (!row) throw new Error(`There is no field type for ${field.id}`);
  return row;
}

/** The field of a site that has a custom field type, e.g. its sprint field, or null. */
export function fieldOfKind(fields: readonly Field[], kind: Kind): Field | null {
  return fields.find((field) => field.typeKey !== null && kindOf(field) === kind) ?? null;
}

/** Keys of custom field types in short, for seeds and orders: `textfield`, `gh-sprint`. */
export function typeKeyOf(short: string): string {
  const key = Object.keys(CUSTOM_KINDS).find((known) => known.endsWith(`:${short}`));
  if (!key) throw new Error(`There is no custom field type ${short}`);
  return key;
}
