import { z } from "zod";
import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import type { BackupPart, PartsRun } from "#connectors/toolkit/records/run-parts.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { readCursor } from "#core/kernel/stored-json.ts";
import { askGraphql } from "./graphql.ts";
import { recordPaths } from "./record-paths.ts";
import { itemsProgress, openRepository, tellSwitchedOff } from "./repository-run.ts";

const PROJECTS = `query Projects($owner: String!, $name: String!, $after: String) {
  repository(owner: $owner, name: $name) {
    projectsV2(first: 20, after: $after) {
      totalCount
      nodes {
        id
        number
        title
        shortDescription
        readme
        public
        closed
        url
        createdAt
        creator { login }
        fields(first: 50) {
          nodes {
            ... on ProjectV2Field { id name dataType }
            ... on ProjectV2SingleSelectField { id name dataType options { id name color description } }
            ... on ProjectV2IterationField {
              id
              name
              dataType
              configuration { iterations { id title startDate duration } completedIterations { id title startDate duration } }
            }
          }
        }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
}`;
const FIELD = "field { ... on ProjectV2FieldCommon { name } }";
const ITEMS = `query ProjectItems($id: ID!, $after: String) {
  node(id: $id) {
    ... on ProjectV2 {
      items(first: 100, after: $after) {
        totalCount
        nodes {
          id
          databaseId
          type
          isArchived
          createdAt
          creator { login }
          content {
            ... on Issue { number title url repository { nameWithOwner } }
            ... on PullRequest { number title url repository { nameWithOwner } }
            ... on DraftIssue { title body createdAt updatedAt creator { login } assignees(first: 20) { nodes { login } } }
          }
          fieldValues(first: 50) {
            nodes {
              ... on ProjectV2ItemFieldTextValue { text ${FIELD} }
              ... on ProjectV2ItemFieldNumberValue { number ${FIELD} }
              ... on ProjectV2ItemFieldDateValue { date ${FIELD} }
              ... on ProjectV2ItemFieldSingleSelectValue { name optionId ${FIELD} }
              ... on ProjectV2ItemFieldIterationValue { title iterationId ${FIELD} }
            }
          }
        }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
}`;
const pageInfo = z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() });
const members = z
  .object({ nodes: z.array(z.looseObject({}).nullable()) })
  .transform(({ nodes }) => nodes.filter((node) => node !== null && Object.keys(node).length > 0));
const projectSchema = z.looseObject({
  id: z.string(),
  number: z.int().positive(),
  title: z.string(),
  fields: members,
});
type Project = z.output<typeof projectSchema>;
const projectsSchema = z.object({
  repository: z.object({
    projectsV2: z.object({ totalCount: z.int(), nodes: z.array(projectSchema.nullable()), pageInfo }),
  }),
});
const itemSchema = z.looseObject({
  id: z.string(),
  databaseId: z.int(),
  type: z.string(),
  content: z.looseObject({ title: z.string().optional(), number: z.int().optional() }).nullish(),
  fieldValues: members,
});
const itemsSchema = z.object({
  node: z.object({
    items: z.object({ totalCount: z.int(), nodes: z.array(itemSchema.nullable()), pageInfo }),
  }),
});
const cursorSchema = z.strictObject({ number: z.int(), after: z.string().nullable(), counted: z.int() });

/**
 * Projects that the repository is linked to: their fields, and their items with every value. Nothing tells which items
 * changed, so they are read each time, a hundred per question.
 */
export const projectsPart: BackupPart = {
  id: "projects",
  optional: { kind: "project", path: "projects/", prefixes: ["projects/"] },
  async *run(run, cursor) {
    const { features } = openRepository(run);
    if (features.projects === false) {
      yield* tellSwitchedOff(run, { kind: "project", prefix: "projects/", what: "Projects" });
      return;
    }
    const resumed = readCursor(cursorSchema, cursor) ?? { number: 0, after: null, counted: 0 };
    const projects = (await listProjects(run)).sort((a, b) => a.number - b.number);
    let { counted } = resumed;
    for (const project of projects) {
      // What lies before the cursor is in the draft.
      if (project.number < resumed.number) continue;
      const { number, title, id } = project;
      const path = recordPaths.project(number);
      yield { type: "record", path, kind: "project", title, value: project as unknown as Json };
      for (let after = number === resumed.number ? resumed.after : null; ; ) {
        const question = { document: ITEMS, variables: { id, after }, schema: itemsSchema };
        const answer = await askGraphql(run.session, { ...question, about: `the project ${title}` });
        const { nodes, pageInfo } = answer.node.items;
        for (const item of nodes) if (item !== null) yield itemRecord(number, item);
        counted += nodes.length;
        yield itemsProgress(`Reading the project ${title}`, counted, null);
        after = pageInfo.endCursor ?? null;
        if (!pageInfo.hasNextPage || after === null) break;
        yield { type: "checkpoint", cursor: { number, after, counted } };
      }
      yield { type: "checkpoint", cursor: { number: number + 1, after: null, counted } };
    }
    yield { type: "reported", kind: "project", count: projects.length };
    yield { type: "reported", kind: "project-item", count: counted };
  },
};

async function listProjects(run: PartsRun): Promise<Project[]> {
  const { owner, name, fullName } = openRepository(run);
  const projects: Project[] = [];
  for (let after: string | null = null; ; ) {
    const question = { document: PROJECTS, variables: { owner, name, after }, schema: projectsSchema };
    const answer: z.output<typeof projectsSchema> = await askGraphql(run.session, {
      ...question,
      about: `the projects of ${fullName}`,
    });
    const { nodes, pageInfo } = answer.repository.projectsV2;
    for (const project of nodes) if (project !== null) projects.push(project);
    after = pageInfo.endCursor ?? null;
    if (!pageInfo.hasNextPage || after === null) return projects;
  }
}

function itemRecord(project: number, item: z.output<typeof itemSchema>): BackupEvent {
  const { title, number } = item.content ?? {};
  const label = number === undefined ? title : `#${number} ${title ?? ""}`.trim();
  return {
    type: "record",
    path: recordPaths.projectItem(project, item.databaseId),
    kind: "project-item",
    title: label ?? "An item that is hidden from us",
    parent: recordPaths.project(project),
    value: item as unknown as Json,
  };
}
