/** The scopes that Atlassian lists for Jira, with the words of its consent page. */
export const SCOPES: Readonly<Record<string, string>> = {
  "read:jira-work": "View Jira issue data",
  "write:jira-work": "Create and manage issues",
  "read:jira-user": "View user profiles",
  "manage:jira-project": "Manage project settings",
  "manage:jira-configuration": "Manage Jira global settings",
  "read:board-scope:jira-software": "View boards",
  "read:board-scope.admin:jira-software": "View board configuration",
  "write:board-scope:jira-software": "Move issues to boards and backlogs",
  "read:sprint:jira-software": "View sprints",
  "write:sprint:jira-software": "Create and manage sprints",
  "delete:sprint:jira-software": "Delete sprints",
  "read:issue:jira-software": "View issues of boards",
  "write:issue:jira-software": "Rank issues",
  "read:issue-details:jira": "View issue details",
  "read:project:jira": "View projects",
  "read:jql:jira": "View JQL",
  "read:epic:jira-software": "View epics",
  "read:servicedesk-request": "View Jira Service Management request data",
  "report:personal-data": "Report personal data of users",
  offline_access: "Keep access while you are away",
};

type Rule = readonly [methods: RegExp, path: RegExp, scope: readonly string[]];

const READ = ["read:jira-work"];
const CONFIGURE = ["manage:jira-configuration"];

/** The scopes of the operations of the platform's API, by its published list. The first row that fits applies. */
const PLATFORM: readonly Rule[] = [
  [
    /GET/,
    /^\/(myself|user|users|user\/search|user\/bulk|users\/search|user\/assignable\/search)$/,
    ["read:jira-user"],
  ],
  [/GET/, /^\/(license|instance)\//, CONFIGURE],
  [/GET/, /^\/(statuses|statuses\/search)$/, CONFIGURE],
  [/GET/, /^\/field\/[^/]+\/context/, CONFIGURE],
  [/GET|POST/, /^\/workflows(\/|$)/, CONFIGURE],
  [/GET/, /^\/workflow\//, ["manage:jira-project"]],
  [
    /GET/,
    /^\/(issuetypescheme|workflowscheme|issuetypescreenscheme|fieldconfigurationscheme|priorityscheme)(\/|$)/,
    CONFIGURE,
  ],
  [/GET/, /^\/issuesecurityschemes\/level\/member$/, CONFIGURE],
  [/GET/, /^\/(priority|role)(\/|$)/, CONFIGURE],
  [/GET/, /^\/screens(\/\d+\/tabs.*)?$/, ["manage:jira-project"]],
  [/GET/, /^\/screenscheme$/, ["manage:jira-project"]],
  [/DELETE/, /^\/project\/[^/]+$/, CONFIGURE],
  [/GET/, /^\/serverInfo$/, []],
  [/POST/, /^\/project$/, CONFIGURE],
  [/POST|PUT|DELETE/, /^\/(component|version|project)(\/|$)/, ["manage:jira-project"]],
  [/GET/, /./, READ],
  [
    /POST/,
    /^\/(search\/jql|search\/approximate-count|issue\/bulkfetch|changelog\/bulkfetch|comment\/list|search)$/,
    READ,
  ],
  [/POST/, /^\/worklog\/list$/, READ],
  [/POST|PUT|DELETE/, /./, ["write:jira-work"]],
];

const BOARD = "read:board-scope:jira-software";

/**
 * The scopes of Jira Software, whose API has no classic ones. Source: its published operations; a report of 20 September
 * 2026 confirms on a live site that each is asked for.
 */
const SOFTWARE: readonly Rule[] = [
  [/GET/, /\/sprint(\/\d+)?$/, ["read:sprint:jira-software"]],
  [/GET/, /\/issue$/, [BOARD, "read:issue-details:jira", "read:jql:jira"]],
  [/GET/, /^\/board\/\d+\/configuration$/, ["read:board-scope.admin:jira-software", "read:project:jira"]],
  [/GET/, /^\/board\/\d+$/, [BOARD, "read:issue-details:jira"]],
  [/GET/, /^\/board$/, [BOARD, "read:project:jira"]],
  [/POST|PUT/, /^\/sprint/, ["write:sprint:jira-software"]],
  [/PUT/, /^\/issue\/rank$/, ["write:issue:jira-software"]],
  [/POST/, /^\/backlog\/issue$/, ["write:board-scope:jira-software"]],
];

/** The scopes of Jira Service Management. */
const DESK: readonly Rule[] = [
  [/GET/, /\/queue$/, READ],
  [/GET/, /./, ["read:servicedesk-request"]],
];

/** One of the three APIs of a site. */
export type Api = "platform" | "software" | "desk";
const RULES = { platform: PLATFORM, software: SOFTWARE, desk: DESK };

/** The scopes that an operation needs, all of them. */
export function scopesFor(api: Api, method: string, path: string): readonly string[] {
  return RULES[api].find(([methods, paths]) => methods.test(method) && paths.test(path))?.[2] ?? [];
}
