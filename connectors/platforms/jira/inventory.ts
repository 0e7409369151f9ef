import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { PlatformConnector, PlatformItem, Session } from "#connectors/contract/platform-connector.ts";
import { jiraClient, paths } from "./client.ts";
import { connectionSchema, type Project, pageOf, projectSchema } from "./payloads.ts";

/** Jira returns at most this many projects at once. */
const MOST_AT_ONCE = 100;

/** The projects of a site. A site has no places. */
export const inventory: Pick<PlatformConnector, "listPlaces" | "listItems" | "getItem"> = {
  async listPlaces() {
    return { items: [], total: 0, hasMore: false };
  },

  async listItems(session, { kind, name, page, perPage }) {
    refuseUnknownKind(kind);
    const { projects, total } = await searchProjects(session, {
      ...{ from: page * perPage, most: perPage },
      ...(name?.trim() ? { query: name.trim() } : {}),
    });
    const items = projects.map((project) => projectItem(session, project));
    return { items, total, hasMore: total !== null && (page + 1) * perPage < total };
  },

  async getItem(session, { kind, externalId }) {
    refuseUnknownKind(kind);
    return projectItem(session, await readProject(session, externalId));
  },
};

/** Projects in the order of their keys. Jira may return fewer at once than asked for, so pages are joined. */
export async function searchProjects(
  session: Session,
  { from, most, ...filter }: { from: number; most: number; query?: string; typeKey?: string },
): Promise<{ projects: Project[]; total: number | null }> {
  const client = jiraClient(session);
  const projects: Project[] = [];
  for (;;) {
    const startAt = from + projects.length;
    const maxResults = Math.min(MOST_AT_ONCE, most - projects.length);
    const answer = await client.request(
      {
        method: "GET",
        path: paths.projects,
        query: { ...filter, startAt, maxResults, orderBy: "key", expand: "description" },
        about: "your projects",
        endpoint: "project",
      },
      pageOf(projectSchema),
      ({ values }) => values.length,
    );
    projects.push(...answer.values.slice(0, maxResults));
    const isOver = answer.values.length === 0 || answer.isLast === true;
    if (isOver || projects.length >= most) return { projects, total: answer.total };
  }
}

/** A project with its components, versions and types of issues. */
export async function readProject(session: Session, projectId: string): Promise<Project> {
  const call = {
    method: "GET",
    path: paths.project(projectId),
    query: { expand: "description,lead,issueTypes,url,insight" },
    about: "this project",
    endpoint: "project",
  } as const;
  return await jiraClient(session).request(call, projectSchema, () => 1);
}

/** Converts a project to an item. Its full name begins with the key, which has no spaces. */
function projectItem(session: Session, project: Project): PlatformItem {
  const { id, key, name, description, projectTypeKey, style, isPrivate } = project;
  const { siteUrl } = connectionSchema.parse(session.connectionDetails);
  return {
    kind: "project",
    externalId: id,
    name,
    fullName: `${key} · ${name}`,
    description: description || null,
    sizeHintBytes: null,
    details: { key, projectTypeKey, style, isPrivate, siteUrl },
  };
}

function refuseUnknownKind(kind: string): void {
  if (kind !== "project") throw new ConnectorError("unsupported", `Jira has no items of the kind ${kind}.`);
}
