import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { VersionFrame } from "./version-frame.ts";

/** A template that `POST /project` takes (Jira's documentation, "Create project"). */
export type Template = { value: string; label: string; help: string; hasSprints: boolean };

const SOFTWARE: readonly Template[] = [
  {
    value: "com.pyxis.greenhopper.jira:gh-simplified-scrum-classic",
    label: "Scrum, company-managed",
    help: "A board with sprints. Administrators share its fields and workflow between projects.",
    hasSprints: true,
  },
  {
    value: "com.pyxis.greenhopper.jira:gh-simplified-kanban-classic",
    label: "Kanban, company-managed",
    help: "A board without sprints.",
    hasSprints: false,
  },
  {
    value: "com.pyxis.greenhopper.jira:gh-simplified-agility-scrum",
    label: "Scrum, team-managed",
    help: "The team sets its own fields and statuses.",
    hasSprints: false,
  },
  {
    value: "com.pyxis.greenhopper.jira:gh-simplified-agility-kanban",
    label: "Kanban, team-managed",
    help: "The team sets its own fields and statuses; no sprints.",
    hasSprints: false,
  },
];

const OTHERS: Readonly<Record<string, Template>> = {
  business: {
    value: "com.atlassian.jira-core-project-templates:jira-core-simplified-project-management",
    label: "Project management",
    help: "",
    hasSprints: false,
  },
  service_desk: {
    value: "com.atlassian.servicedesk:simplified-it-service-management",
    label: "IT service management",
    help: "",
    hasSprints: false,
  },
};

/** The templates of a project's type, the likely one first; empty = Jira's API cannot make such projects. */
export function templatesOf({
  project,
  boards,
}: Pick<VersionFrame, "project" | "boards">): readonly Template[] {
  if (project.projectTypeKey !== "software") {
    const only = OTHERS[project.projectTypeKey];
    return only === undefined ? [] : [only];
  }
  const isTeamManaged = project.style === "next-gen";
  const hasSprints = boards[0]?.type !== "kanban";
  const [scrum, kanban, teamScrum, teamKanban] = SOFTWARE as readonly [
    Template,
    Template,
    Template,
    Template,
  ];
  if (isTeamManaged) return [teamScrum, teamKanban, scrum, kanban];
  return hasSprints ? [scrum, kanban, teamScrum, teamKanban] : [kanban, scrum, teamKanban, teamScrum];
}

/** The template of a new project: the chosen one if the type has it, else the likely one. @throws ConnectorError `unsupported` */
export function chosenTemplate(frame: Pick<VersionFrame, "project" | "boards">, chosen: string): Template {
  const templates = templatesOf(frame);
  const template = templates.find(({ value }) => value === chosen) ?? templates[0];
  if (template !== undefined) return template;
  const message = "Jira's API cannot make projects of this type. Make one in Jira and restore into it.";
  throw new ConnectorError("unsupported", message);
}

/** The key of the template of a new project. @throws ConnectorError `unsupported` */
export function templateKeyOf(frame: Pick<VersionFrame, "project" | "boards">, chosen: string): string {
  return chosenTemplate(frame, chosen).value;
}
