import type { Coverage } from "#connectors/contract/coverage.ts";

const ASSIGNED = "Jira assigns them to what a restore makes.";
const ADDRESSES = "They are addresses of the API, or pictures that Jira serves.";
const DERIVED = "Jira derives them from other fields.";
const VIEWER = "They describe the account that reads.";
const SITE = "They belong to the site; a restore uses what the target project has.";
const ON_REQUEST = "Jira sends them on request only, and they repeat other fields.";

/** What becomes of Jira's fields. The forms in `record-form.ts` and `backup/` decide it; the README says how. */
export const coverage: Coverage = [
  {
    name: "Project",
    schema: "project",
    restored: "name description components versions projectTypeKey",
    kept: [
      { fields: "id key uuid", because: "Jira assigns them; you choose the new key." },
      { fields: "lead assigneeType", because: "The restoring account leads the new project." },
      { fields: "style issueTypes issueTypeHierarchy projectCategory", because: SITE },
      { fields: "roles", because: "A restore does not change who may do what." },
      { fields: "properties email url isPrivate landingPageInfo", because: "A restore does not set them." },
      {
        fields: "archived archivedBy archivedDate deleted deletedBy deletedDate retentionTillDate",
        because: "They tell what happened to the original.",
      },
    ],
    left: [
      { fields: "self avatarUrls expand", because: ADDRESSES },
      { fields: "favourite permissions simplified", because: VIEWER },
      { fields: "insight", because: "Jira counts it anew." },
    ],
  },
  {
    name: "Issues",
    schema: "issue",
    restored: "fields",
    kept: [
      { fields: "id key", because: "Jira gives new keys; each restored issue names its old one." },
      { fields: "changelog", because: "Only Jira writes the history." },
      { fields: "properties", because: "Only the app that wrote them can use them." },
    ],
    left: [
      { fields: "self expand", because: ADDRESSES },
      {
        fields: `editmeta fieldsToInclude names operations renderedFields schema transitions
          versionedRepresentations`,
        because: ON_REQUEST,
      },
    ],
  },
  {
    name: "Fields of issues",
    schema: "fields",
    restored: `summary description environment issuetype status priority resolution assignee reporter creator created
      updated resolutiondate duedate labels components fixVersions parent subtasks issuelinks attachment comment worklog
      watches timetracking`,
    kept: [
      { fields: "timespent timeoriginalestimate", because: DERIVED },
      { fields: "votes", because: "Jira takes a vote from its voter only." },
      { fields: "issuerestriction", because: "A restore does not set it." },
    ],
    left: [
      { fields: "aggregatetimespent workratio", because: DERIVED },
      { fields: "lastViewed", because: VIEWER },
      { fields: "issueType", because: "Another spelling of the type in answers about linked issues." },
    ],
  },
  {
    name: "Comments",
    schema: "comment",
    restored: "author body created updated visibility jsdPublic",
    kept: [
      {
        fields: "id updateAuthor jsdAuthorCanSeeRequest properties",
        because: "The restored comment names its author.",
      },
    ],
    left: [
      { fields: "self", because: ADDRESSES },
      { fields: "renderedBody", because: ON_REQUEST },
    ],
  },
  {
    name: "Logged work",
    schema: "worklog",
    restored: "author comment started timeSpentSeconds visibility",
    kept: [{ fields: "id issueId created updated updateAuthor timeSpent properties", because: ASSIGNED }],
    left: [{ fields: "self", because: ADDRESSES }],
  },
  {
    name: "Attached files",
    schema: "attachment",
    restored: "filename mimeType",
    kept: [
      {
        fields: "id author created size content properties",
        because:
          "The bytes come back; the connected account and the day of the restore take the place of the rest.",
      },
    ],
    left: [{ fields: "self thumbnail", because: ADDRESSES }],
  },
  {
    name: "Links",
    schema: "link",
    restored: "type inwardIssue outwardIssue",
    kept: [{ fields: "id", because: ASSIGNED }],
    left: [{ fields: "self", because: ADDRESSES }],
  },
  {
    name: "Web links",
    schema: "web-link",
    restored: "application globalId object relationship",
    kept: [{ fields: "id", because: ASSIGNED }],
    left: [{ fields: "self", because: ADDRESSES }],
  },
  {
    name: "Watchers",
    schema: "watchers",
    restored: "watchers",
    kept: [{ fields: "watchCount", because: DERIVED }],
    left: [
      { fields: "self", because: ADDRESSES },
      { fields: "isWatching", because: VIEWER },
    ],
  },
  {
    name: "Votes",
    schema: "votes",
    kept: [{ fields: "voters votes", because: "Jira takes a vote from its voter only." }],
    left: [
      { fields: "self", because: ADDRESSES },
      { fields: "hasVoted", because: VIEWER },
    ],
  },
  {
    name: "History",
    schema: "change",
    kept: [{ fields: "id author created items historyMetadata", because: "Only Jira writes the history." }],
  },
  {
    name: "Components",
    schema: "component",
    restored: "name description",
    kept: [
      { fields: "id ari project projectId", because: ASSIGNED },
      {
        fields: "lead leadAccountId leadUserName assignee assigneeType",
        because: "A restore gives nobody new work.",
      },
      { fields: "realAssignee realAssigneeType isAssigneeTypeValid metadata", because: DERIVED },
    ],
    left: [{ fields: "self", because: ADDRESSES }],
  },
  {
    name: "Versions",
    schema: "version",
    restored: "name description released archived startDate releaseDate",
    kept: [
      { fields: "id project projectId", because: ASSIGNED },
      { fields: "driver approvers", because: "A restore gives nobody new work." },
      { fields: "moveUnfixedIssuesTo issuesStatusForFixVersion operations", because: ON_REQUEST },
    ],
    left: [
      { fields: "self expand", because: ADDRESSES },
      { fields: "overdue userStartDate userReleaseDate", because: DERIVED },
    ],
  },
  {
    name: "Sprints",
    schema: "sprint",
    restored: "name startDate endDate goal",
    kept: [
      { fields: "id originBoardId createdDate", because: ASSIGNED },
      {
        fields: "state completeDate",
        because:
          "A restored sprint is a future one; a closed one cannot be filled again, so a label names it.",
      },
    ],
    left: [{ fields: "self", because: ADDRESSES }],
  },
  {
    name: "Boards",
    schema: "board",
    kept: [{ fields: "id name type isPrivate admins", because: "A new project has a board of its own." }],
    left: [
      { fields: "self", because: ADDRESSES },
      { fields: "location", because: "It repeats the project." },
      { fields: "canEdit favourite", because: VIEWER },
    ],
  },
  {
    name: "Types of issues",
    schema: "issue-type",
    kept: [{ fields: "id name description entityId hierarchyLevel scope subtask", because: SITE }],
    left: [{ fields: "self iconUrl avatarId", because: ADDRESSES }],
  },
  {
    name: "Statuses",
    schema: "status",
    kept: [{ fields: "id name description scope statusCategory", because: SITE }],
    left: [{ fields: "self iconUrl", because: ADDRESSES }],
  },
  {
    name: "Fields of the site",
    schema: "field",
    kept: [
      { fields: "id key name custom schema scope clauseNames navigable orderable searchable", because: SITE },
    ],
  },
  {
    name: "Roles",
    schema: "role",
    kept: [
      {
        fields: `id name translatedName description actors admin default currentUserRole roleConfigurable scope`,
        because: "A restore does not change who may do what.",
      },
    ],
    left: [{ fields: "self", because: ADDRESSES }],
  },
];
