import type { Project, ProjectField, ProjectItem } from "../records.ts";
import { nodeId } from "../render.ts";
import type { Repository } from "../state.ts";
import { findIssue } from "../threads.ts";
import { actorObject } from "./actors.ts";
import { connection } from "./connection.ts";
import type { GraphqlContext } from "./context.ts";
import type { GraphqlObject } from "./execute.ts";
import { idsOf } from "./ids.ts";
import { threadObject } from "./threads.ts";

const byId = ({ id }: { id: number }) => id;

/** A project (v2). */
export function projectObject(
  context: GraphqlContext,
  repository: Repository,
  project: Project,
): GraphqlObject {
  const { world } = context;
  return {
    __typename: "ProjectV2",
    ...idsOf("PVT", project.id),
    number: project.number,
    title: project.title,
    shortDescription: project.description,
    readme: project.readme,
    public: project.isPublic,
    closed: project.isClosed,
    closedAt: project.isClosed ? project.updatedAt : null,
    template: false,
    url: `${world.webUrl}/orgs/${repository.owner}/projects/${project.number}`,
    createdAt: project.createdAt,
    updatedAt: project.updatedAt,
    creator: () => actorObject(world, project.creator),
    owner: () => actorObject(world, repository.owner),
    fields: connection("fields", project.fields, byId, (field) => fieldObject(project, field)),
    items: connection("items", project.items, byId, (item) => itemObject(context, repository, project, item)),
    repositories: connection("repositories", [repository], byId, (each) => context.showRepository(each)),
    views: connection("views", [{ id: project.id }], byId, ({ id }) => ({
      id: nodeId("PVTV", id),
      name: "View 1",
      number: 1,
      layout: "TABLE_LAYOUT",
    })),
  };
}

/** A field of a project. Single-select and iteration fields have their own types. */
export function fieldObject(project: Project, field: ProjectField): GraphqlObject {
  const common = {
    ...idsOf("PVTF", field.id),
    name: field.name,
    dataType: field.type,
    createdAt: project.createdAt,
    updatedAt: project.updatedAt,
  };
  if (field.type === "SINGLE_SELECT") {
    const options = field.options.map((option) => ({
      ...option,
    }));
    return { __typename: "ProjectV2SingleSelectField", ...common, options };
  }
  if (field.type !== "ITERATION") return { __typename: "ProjectV2Field", ...common };
  const iterations = field.iterations.map((each) => ({
    ...each,
  }));
  return {
    __typename: "ProjectV2IterationField",
    ...common,
    configuration: {
      duration: field.iterations[0]?.duration ?? 14,
      startDay: 1,
      iterations,
      completedIterations: [],
    },
  };
}

/** An item of a project. */
export function itemObject(
  context: GraphqlContext,
  repository: Repository,
  project: Project,
  item: ProjectItem,
): GraphqlObject {
  const { world } = context;
  const issue = item.number === null ? null : findIssue(world.records.of(repository), item.number);
  const title = issue?.title ?? item.draft?.title ?? "";
  const valued = project.fields.filter(
    (field) => field.type === "TITLE" || item.values[field.id] !== undefined,
  );
  return {
    __typename: "ProjectV2Item",
    ...idsOf("PVTI", item.id),
    type: item.type,
    isArchived: item.isArchived,
    createdAt: item.createdAt,
    updatedAt: item.updatedAt,
    creator: () => actorObject(world, item.creator),
    project: () => projectObject(context, repository, project),
    content: () => {
      if (issue) return threadObject(context, repository, issue);
      if (!item.draft) return null;
      return {
        __typename: "DraftIssue",
        id: nodeId("DI", item.id),
        title: item.draft.title,
        body: item.draft.body,
        bodyText: item.draft.body,
        createdAt: item.createdAt,
        updatedAt: item.updatedAt,
        creator: () => actorObject(world, item.creator),
        assignees: connection("assignees", [] as { id: number }[], byId, () => ({
          __typename: "User",
        })),
      };
    },
    fieldValues: connection("fieldValues", valued, byId, (field) => valueObject(project, item, field, title)),
  };
}

function valueObject(project: Project, item: ProjectItem, field: ProjectField, title: string): GraphqlObject {
  const value = item.values[field.id];
  const common = {
    id: nodeId("PVTFV", `${item.id}-${field.id}`),
    createdAt: item.createdAt,
    updatedAt: item.updatedAt,
    field: () => fieldObject(project, field),
  };
  const option = field.options.find(({ id }) => id === value);
  const iteration = field.iterations.find(({ id }) => id === value);
  switch (field.type) {
    case "NUMBER":
      return { __typename: "ProjectV2ItemFieldNumberValue", ...common, number: Number(value) };
    case "DATE":
      return { __typename: "ProjectV2ItemFieldDateValue", ...common, date: String(value) };
    case "SINGLE_SELECT":
      return {
        __typename: "ProjectV2ItemFieldSingleSelectValue",
        ...common,
        name: option?.name ?? null,
        optionId: option?.id ?? null,
        color: option?.color ?? "GRAY",
        description: option?.description ?? "",
      };
    case "ITERATION":
      return {
        __typename: "ProjectV2ItemFieldIterationValue",
        ...common,
        iterationId: iteration?.id ?? "",
        title: iteration?.title ?? "",
        startDate: iteration?.startDate ?? "",
        duration: iteration?.duration ?? 0,
      };
    default:
      return {
        __typename: "ProjectV2ItemFieldTextValue",
        ...common,
        text: field.type === "TITLE" ? title : String(value),
      };
  }
}
