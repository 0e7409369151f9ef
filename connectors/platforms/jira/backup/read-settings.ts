import { isOutOfReach, type StagesRun } from "#connectors/toolkit/records/run-stages.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { type JiraClient, paths } from "../client.ts";
import {
  anythingSchema,
  anythingsSchema,
  keysSchema,
  pageOf,
  rolesSchema,
  thingSchema,
  thingsSchema,
} from "../payloads.ts";
import type { SettingName } from "../record-paths.ts";
import { sortedById } from "./issue-form.ts";

/** What the parts of the configuration need to be read. */
export type SettingIo = { run: StagesRun; client: JiraClient; projectId: string; typeIds: readonly string[] };

/** A part of the configuration. */
export type SettingPart = {
  name: SettingName;
  title: string;
  /** Team-managed projects have no schemes of the site. */
  isClassicOnly?: true;
  isServiceDeskOnly?: true;
  read: (io: SettingIo) => Promise<Json>;
};

/** The parts of the configuration that are stored whole. */
export const settingParts: readonly SettingPart[] = [
  { name: "roles", title: "Roles", read: readRoles },
  {
    name: "features",
    title: "Features",
    read: ({ client, projectId }) => get(client, paths.projectFeatures(projectId), "the features"),
  },
  { name: "properties", title: "Properties", read: readProperties },
  {
    name: "link-types",
    title: "Types of links",
    read: ({ client }) => get(client, paths.linkTypes, "the types of links"),
  },
  {
    name: "priorities",
    title: "Priorities",
    read: ({ client, projectId }) => list(client, paths.priorities, "the priorities", { projectId }),
  },
  {
    name: "resolutions",
    title: "Resolutions",
    read: ({ client }) => get(client, paths.resolutions, "the resolutions"),
  },
  { name: "workflows", title: "Workflows", read: readWorkflows },
  {
    name: "issue-type-scheme",
    title: "Scheme of issue types",
    isClassicOnly: true,
    read: ({ client, projectId }) =>
      list(client, paths.issueTypeSchemes, "the scheme of issue types", { projectId }),
  },
  { name: "screens", title: "Screens", isClassicOnly: true, read: readScreens },
  { name: "field-configuration", title: "Field configuration", read: readFieldConfiguration },
  {
    name: "permissions",
    title: "Permissions",
    isClassicOnly: true,
    read: ({ client, projectId }) =>
      get(client, paths.permissionScheme(projectId), "the permissions", { expand: "all" }),
  },
  {
    name: "notifications",
    title: "Notifications",
    isClassicOnly: true,
    read: ({ client, projectId }) =>
      get(client, paths.notificationScheme(projectId), "the notifications", { expand: "all" }),
  },
  {
    name: "security",
    title: "Security levels",
    isClassicOnly: true,
    read: ({ client, projectId }) => get(client, paths.securityScheme(projectId), "the security levels"),
  },
  { name: "service-desk", title: "Service desk", isServiceDeskOnly: true, read: readServiceDesk },
];

const PAGE = 100;
/** Jira returns the workflows of at most this many types at once. */
const TYPES_AT_ONCE = 25;

function get(
  client: JiraClient,
  path: string,
  about: string,
  query: Readonly<Record<string, string>> = {},
): Promise<Json> {
  return client.request({ method: "GET", path, query, about, endpoint: "configuration" }, anythingSchema);
}

/** Every member of a paged list. Jira cuts larger pages than it allows. */
export async function list(
  client: JiraClient,
  path: string,
  about: string,
  query: Readonly<Record<string, string>> = {},
): Promise<Json[]> {
  const all: Json[] = [];
  for (;;) {
    const page = await client.request(
      {
        method: "GET",
        path,
        query: { ...query, startAt: all.length, maxResults: PAGE },
        about,
        endpoint: path.startsWith("/rest/agile") ? "agile" : "configuration",
      },
      pageOf(anythingSchema),
    );
    all.push(...page.values);
    const isOver = page.isLast ?? (page.total !== null && all.length >= page.total);
    if (isOver || page.values.length === 0) return all;
  }
}

async function readRoles({ client, projectId }: SettingIo): Promise<Json> {
  const call = { method: "GET", path: paths.projectRoles(projectId), about: "the roles" } as const;
  const roles = await client.request({ ...call, endpoint: "configuration" }, rolesSchema);
  const read: Json[] = [];
  for (const url of Object.values(roles)) {
    const id = url.slice(url.lastIndexOf("/") + 1);
    read.push(await get(client, paths.projectRole(projectId, id), "a role"));
  }
  return sortedById(read);
}

async function readProperties({ client, projectId }: SettingIo): Promise<Json> {
  const call = { method: "GET", path: paths.projectProperties(projectId), about: "the properties" } as const;
  const { keys } = await client.request({ ...call, endpoint: "configuration" }, keysSchema);
  const values: { [key: string]: Json } = {};
  for (const { key } of keys) {
    const one = (await get(client, paths.projectProperty(projectId, key), "a property")) as { value?: Json };
    values[key] = one.value ?? null;
  }
  return values;
}

async function readWorkflows({ client, projectId, typeIds, run }: SettingIo): Promise<Json> {
  const pieces: Json[] = [];
  for (let from = 0; from < typeIds.length; from += TYPES_AT_ONCE) {
    const projectAndIssueTypes = typeIds
      .slice(from, from + TYPES_AT_ONCE)
      .map((issueTypeId) => ({ projectId, issueTypeId }));
    const call = { method: "POST", path: paths.workflows, body: { projectAndIssueTypes } } as const;
    const asked = { ...call, about: "the workflows", isRepeatable: true, endpoint: "configuration" } as const;
    pieces.push(await client.request(asked, anythingSchema));
  }
  const of = (name: string) =>
    pieces.flatMap((piece) => ((piece as { [key: string]: Json })[name] ?? []) as Json[]);
  const { details } = run.order.item;
  const isClassic = (details as { style?: unknown } | null)?.style !== "next-gen";
  // The scheme maps types to workflows; only administrators of Jira see it.
  const scheme = isClassic
    ? await get(client, paths.workflowSchemes, "the workflow scheme", { projectId }).catch(
        (error: unknown) => {
          if (isOutOfReach(error)) return null;
          throw error;
        },
      )
    : null;
  return {
    statuses: sortedById(unique(of("statuses"))),
    workflows: sortedById(unique(of("workflows"))),
    scheme,
  };
}

function unique(all: readonly Json[]): Json[] {
  return [...new Map(all.map((one) => [String((one as { id?: Json }).id), one])).values()];
}

async function readScreens({ client, projectId }: SettingIo): Promise<Json> {
  const schemes = await list(client, paths.screenSchemesOfProject, "the screens", { projectId });
  const read: Json[] = [];
  for (const scheme of schemes) {
    const id = String((scheme as { issueTypeScreenScheme?: { id?: Json } }).issueTypeScreenScheme?.id ?? "");
    const items = await list(client, paths.screenSchemeItems, "the screens", { issueTypeScreenSchemeId: id });
    const screenSchemes: Json[] = [];
    for (const schemeId of new Set(
      items.map((item) => String((item as { screenSchemeId?: Json }).screenSchemeId)),
    )) {
      screenSchemes.push(...(await list(client, paths.screenSchemes, "the screens", { id: schemeId })));
    }
    const screens: Json[] = [];
    for (const screen of new Set(screenSchemes.flatMap(screenIds))) {
      const call = { method: "GET", path: paths.screenTabs(screen), about: "a screen" } as const;
      const tabs: Json[] = [];
      for (const tab of await client.request({ ...call, endpoint: "configuration" }, thingsSchema)) {
        tabs.push({
          ...(tab as object),
          fields: await get(client, paths.tabFields(screen, tab.id), "a screen"),
        });
      }
      screens.push({ id: screen, tabs });
    }
    read.push({ ...(scheme as object), items, screenSchemes, screens });
  }
  return read;
}

function screenIds(scheme: Json): string[] {
  return Object.values((scheme as { screens?: { [name: string]: Json } }).screens ?? {}).map(String);
}

/** The fields of each type of issue: which are required, and what may be chosen. */
async function readFieldConfiguration({ client, projectId, typeIds }: SettingIo): Promise<Json> {
  const types: { [id: string]: Json } = {};
  for (const id of typeIds) types[id] = await createFields(client, projectId, id);
  return { issueTypes: types };
}

async function createFields(client: JiraClient, projectId: string, typeId: string): Promise<Json[]> {
  const fields: Json[] = [];
  for (;;) {
    const call = { method: "GET", path: paths.createFields(projectId, typeId), about: "the fields" } as const;
    const query = { startAt: fields.length, maxResults: PAGE };
    const answer = (await client.request({ ...call, query, endpoint: "configuration" }, anythingSchema)) as {
      fields?: Json[];
      values?: Json[];
      total?: number;
    };
    const page = answer.fields ?? answer.values ?? [];
    fields.push(...page);
    if (page.length === 0 || fields.length >= (answer.total ?? 0)) return fields.map(fieldForm);
  }
}

/** What may be chosen is kept for custom fields. Of the others it is the project's own things, which have records. */
function fieldForm(field: Json): Json {
  const { allowedValues, autoCompleteUrl: _, ...rest } = field as { [key: string]: Json };
  const isCustom = String(rest.fieldId ?? rest.key ?? "").startsWith("customfield_");
  return isCustom && allowedValues !== undefined ? { ...rest, allowedValues } : rest;
}

/** Types of requests and queues of the service desk that belongs to the project. */
async function readServiceDesk({ client, projectId }: SettingIo): Promise<Json> {
  const call = { method: "GET", about: "the service desk", endpoint: "configuration" } as const;
  const desk = await client.request(
    { ...call, path: `${paths.serviceDesks}/projectId:${Number(projectId)}` },
    thingSchema,
  );
  return {
    desk: desk as Json,
    requestTypes: await deskList(client, paths.requestTypes(desk.id)),
    queues: await deskList(client, paths.queues(desk.id)),
  };
}

/** A list of the service desk's API, whose pages have `start`, `limit` and `isLastPage`. */
async function deskList(client: JiraClient, path: string): Promise<Json[]> {
  const all: Json[] = [];
  for (;;) {
    const query = { start: all.length, limit: PAGE };
    const page = (await client.request(
      { method: "GET", path, query, about: "the service desk", endpoint: "configuration" },
      anythingSchema,
    )) as { values?: Json[]; isLastPage?: boolean };
    all.push(...(page.values ?? []));
    if (page.isLastPage !== false || (page.values ?? []).length === 0) return all;
  }
}

/** All fields of the site. */
export function readFields(client: JiraClient): Promise<Json[]> {
  const call = { method: "GET", path: paths.fields, about: "the fields", endpoint: "configuration" } as const;
  return client.request(call, anythingsSchema);
}
