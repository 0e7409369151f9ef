import { z } from "zod";
import type { ConnectorOperation } from "#connectors/contract/operations.ts";
import { defineOperation } from "#connectors/contract/operations.ts";
import { searchProjects } from "./inventory.ts";
import { getProjectsColumns } from "./restore/get-projects-columns.ts";

/** Jira returns this many projects at once; a site has at most a few thousand. */
const MOST_PROJECTS = 5_000;

/** The projects of the site that a restore may go into, by type (spec P-375). */
const projectsOfType = defineOperation({
  method: "GET",
  path: "get-all-available-user-jira-projects",
  summary: "Projects of the site, of one type or all",
  input: z.strictObject({
    projectTypeKey: z.enum(["software", "service_desk", "business", "product_discovery"]).optional(),
  }),
  result: z.array(
    z.object({
      id: z.string(),
      key: z.string(),
      name: z.string(),
      projectTypeKey: z.string(),
      style: z.string().nullable(),
    }),
  ),
  isStateChanging: false,
  async handle({ session }, { projectTypeKey }) {
    const filter = projectTypeKey === undefined ? {} : { typeKey: projectTypeKey };
    const { projects } = await searchProjects(session, { from: 0, most: MOST_PROJECTS, ...filter });
    return projects.map(({ id, key, name, projectTypeKey: type, style }) => ({
      ...{ id, key, name, style },
      projectTypeKey: type,
    }));
  },
});

/** Calls of the public API that only Jira has. */
export const operations: readonly ConnectorOperation[] = [projectsOfType, getProjectsColumns];
