import type { ProjectType } from "./state.ts";

/** What `POST /project` makes of each template key. */
export type Template = {
  key: string;
  typeKey: ProjectType;
  isTeamManaged: boolean;
  board: "scrum" | "kanban" | "simple" | null;
  /** Names of issue types, from the epic down. */
  types: readonly (readonly [name: string, level: -1 | 0 | 1])[];
  /** Statuses by name, in the order of the columns. */
  statuses: readonly (readonly [name: string, category: "new" | "indeterminate" | "done"])[];
};

const STANDARD = [
  ["Epic", 1],
  ["Story", 0],
  ["Task", 0],
  ["Bug", 0],
  ["Sub-task", -1],
] as const;

const FOUR = [
  ["To Do", "new"],
  ["In Progress", "indeterminate"],
  ["In Review", "indeterminate"],
  ["Done", "done"],
] as const;

/** The templates that the simulator knows, by a short name. The keys are those of the API's documentation. */
export const TEMPLATES = {
  scrum: {
    key: "com.pyxis.greenhopper.jira:gh-simplified-scrum-classic",
    typeKey: "software",
    isTeamManaged: false,
    board: "scrum",
    types: STANDARD,
    statuses: FOUR,
  },
  kanban: {
    key: "com.pyxis.greenhopper.jira:gh-simplified-kanban-classic",
    typeKey: "software",
    isTeamManaged: false,
    board: "kanban",
    types: STANDARD,
    statuses: [
      ["Backlog", "new"],
      ["Selected for Development", "new"],
      ["In Progress", "indeterminate"],
      ["Done", "done"],
    ],
  },
  team: {
    key: "com.pyxis.greenhopper.jira:gh-simplified-agility-scrum",
    typeKey: "software",
    isTeamManaged: true,
    board: "simple",
    types: [
      ["Epic", 1],
      ["Story", 0],
      ["Task", 0],
      ["Subtask", -1],
    ],
    statuses: [
      ["To Do", "new"],
      ["In Progress", "indeterminate"],
      ["Done", "done"],
    ],
  },
  service: {
    key: "com.atlassian.servicedesk:simplified-it-service-management",
    typeKey: "service_desk",
    isTeamManaged: false,
    board: null,
    types: [
      ["Service request", 0],
      ["Incident", 0],
      ["Sub-task", -1],
    ],
    statuses: [
      ["Waiting for support", "indeterminate"],
      ["Waiting for customer", "indeterminate"],
      ["Resolved", "done"],
    ],
  },
  business: {
    key: "com.atlassian.jira-core-project-templates:jira-core-simplified-project-management",
    typeKey: "business",
    isTeamManaged: false,
    board: null,
    types: [
      ["Task", 0],
      ["Sub-task", -1],
    ],
    statuses: [
      ["To Do", "new"],
      ["In Progress", "indeterminate"],
      ["Done", "done"],
    ],
  },
  // The API makes no such project, so its template has no key there.
  discovery: {
    key: "",
    typeKey: "product_discovery",
    isTeamManaged: true,
    board: null,
    types: [["Idea", 0]],
    statuses: [
      ["Parking lot", "new"],
      ["Discovery", "indeterminate"],
      ["Delivery", "done"],
    ],
  },
} as const satisfies Record<string, Template>;

export type TemplateName = keyof typeof TEMPLATES;

/** The template of a key, or null. */
export function templateOf(key: string): Template | null {
  return Object.values(TEMPLATES).find((template) => key !== "" && template.key === key) ?? null;
}
