import { z } from "zod";
import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import type { BackupStage, StagesRun } from "#connectors/toolkit/records/run-stages.ts";
import { askForFewer, openSizes } from "#connectors/toolkit/records/shrink.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { readCursor } from "#core/kernel/stored-json.ts";
import { ACTOR, actorSchema, askGraphql, countedNodesOf, nodesOf, pageInfo } from "../graphql.ts";
import { recordPaths } from "../record-paths.ts";
import {
  itemsProgress,
  LARGEST_PAGE,
  openRepository,
  reportHidden,
  reportSwitchedOff,
} from "./repository-run.ts";

const PROJECTS = `query Projects($owner: String!, $name: String!, $first: Int!, $after: String) {
  repository(owner: $owner, name: $name) {
    projectsV2(first: $first, after: $after) {
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
        creator ${ACTOR}
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
const ITEMS = `query ProjectItems($id: ID!, $first: Int!, $after: String) {
  node(id: $id) {
    ... on ProjectV2 {
      items(first: $first, after: $after) {
        totalCount
        nodes {
          id
          fullDatabaseId
          type
          isArchived
          createdAt
          creator ${ACTOR}
          content {
            ... on Issue { number title url repository { nameWithOwner } }
            ... on PullRequest { number title url repository { nameWithOwner } }
            ... on DraftIssue { title body createdAt updatedAt creator ${ACTOR} assignees(first: 20) { nodes { login } } }
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
const members = z
  .object({ nodes: nodesOf(z.looseObject({})) })
  .transform(({ nodes }) => nodes.filter((node) => Object.keys(node).length > 0));
const projectSchema = z.looseObject({
  id: z.string(),
  number: z.int().positive(),
  title: z.string(),
  creator: actorSchema,
  fields: members,
});
type Project = z.output<typeof projectSchema>;
const projectsSchema = z.object({
  repository: z.object({
    projectsV2: z.object({ totalCount: z.int(), nodes: countedNodesOf(projectSchema), pageInfo }),
  }),
});
/**
 * Records keep the id under its first name. GitHub announced to remove `ProjectV2Item.databaseId` on 1 April 2025
 * (docs.github.com, GraphQL, breaking changes).
 */
const itemSchema = z
  .looseObject({
    id: z.string(),
    fullDatabaseId: z.union([z.int(), z.string().regex(/^\d+$/)]).transform(Number),
    type: z.string(),
    creator: actorSchema,
    content: z
      .looseObject({
        title: z.string().optional(),
        number: z.int().optional(),
        creator: actorSchema.optional(),
      })
      .nullish(),
    fieldValues: members,
  })
  .transform(({ fullDatabaseId, ...item }) => ({ ...item, databaseId: fullDatabaseId }));
const itemsSchema = z.object({
  node: z.object({
    items: z.object({ totalCount: z.int(), nodes: countedNodesOf(itemSchema), pageInfo }),
  }),
});
const cursorSchema = z.strictObject({ number: z.int(), after: z.string().nullable(), counted: z.int() });

/**
 * Projects that the repository is linked to: their fields, and their items with every value. GitHub does not say which
 * items changed, so all of them are read once a week, a hundred per query.
 */
export const projectsStage: BackupStage = {
  id: "projects",
  optional: { kind: "project", path: "projects/", prefixes: ["projects/"] },
  rests: { prefixes: ["projects/"] },
  async *run(run, cursor) {
    const { features } = openRepository(run);
    if (features.projects === false) {
      yield* reportSwitchedOff(run, { kind: "project", prefix: "projects/", what: "Projects" });
      return;
    }
    const resumed = readCursor(cursorSchema, cursor) ?? { number: 0, after: null, counted: 0 };
    const { projects, hidden } = await listProjects(run);
    projects.sort((a, b) => a.number - b.number);
    if (cursor === null)
      yield* reportHidden(hidden, { kind: "project", path: "projects/", what: "projects" });
    let { counted } = resumed;
    for (const project of projects) {
      // Projects before the cursor are already in the draft.
      if (project.number < resumed.number) continue;
      const { number, title, id } = project;
      const path = recordPaths.project(number);
      yield { type: "record", path, kind: "project", title, value: project as unknown as Json };
      const sizes = openSizes();
      for (let after = number === resumed.number ? resumed.after : null; ; ) {
        const answer = await askForFewer(sizes, LARGEST_PAGE, (first) => {
          const question = { document: ITEMS, variables: { id, first, after }, schema: itemsSchema };
          return askGraphql(run.session, { ...question, about: `the project ${title}` });
        });
        const { nodes, pageInfo } = answer.node.items;
        for (const item of nodes.shown) yield itemRecord(number, item);
        yield* reportHidden(nodes.hidden, {
          kind: "project-item",
          path,
          what: `items of the project ${title}`,
        });
        counted += nodes.shown.length + nodes.hidden;
        yield itemsProgress(`Reading the project ${title}`, counted, null);
        after = pageInfo.endCursor ?? null;
        if (!pageInfo.hasNextPage || after === null) break;
        yield { type: "checkpoint", cursor: { number, after, counted } };
      }
      yield { type: "checkpoint", cursor: { number: number + 1, after: null, counted } };
    }
    yield { type: "reported", kind: "project", count: projects.length + hidden };
    yield { type: "reported", kind: "project-item", count: counted };
  },
};

async function listProjects(run: StagesRun): Promise<{ projects: Project[]; hidden: number }> {
  const { owner, name, fullName } = openRepository(run);
  const projects: Project[] = [];
  let hidden = 0;
  const sizes = openSizes();
  for (let after: string | null = null; ; ) {
    const answer: z.output<typeof projectsSchema> = await askForFewer(sizes, 20, (first) => {
      const variables = { owner, name, first, after };
      const question = { document: PROJECTS, variables, schema: projectsSchema };
      return askGraphql(run.session, { ...question, about: `the projects of ${fullName}` });
    });
    const { nodes, pageInfo } = answer.repository.projectsV2;
    projects.push(...nodes.shown);
    hidden += nodes.hidden;
    after = pageInfo.endCursor ?? null;
    if (!pageInfo.hasNextPage || after === null) return { projects, hidden };
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
