import { z } from "zod";

/**
 * The records of a version, as readers (views, plan, restore, export) parse them. A record keeps everything that Jira
 * sends, except what changes by itself or describes us (`record-form.ts` lists it); these schemas name what readers use
 * and let the rest pass. Every schema accepts what an earlier release stored.
 */

/** Atlassian Document Format: `{ type: "doc", version: 1, content: […] }`. Null = empty. */
export type Adf = z.output<typeof adfSchema>;
export const adfSchema = z.looseObject({
  type: z.literal("doc"),
  version: z.number(),
  content: z.array(z.json()),
});

/** A person, reduced to what identifies and names them. */
export const personSchema = z.looseObject({ accountId: z.string(), displayName: z.string().catch("") });
export type Person = z.output<typeof personSchema>;

const person = personSchema.nullish().transform((value) => value ?? null);
const text = z
  .string()
  .nullish()
  .transform((value) => value ?? null);
const listOf = <S extends z.ZodType>(schema: S) =>
  z
    .array(schema)
    .nullish()
    .transform((value) => value ?? []);
/** An ADF document; null when it is missing or of another form. */
const adf = adfSchema
  .nullish()
  .catch(null)
  .transform((value) => value ?? null);
export const namedSchema = z.looseObject({ id: z.string(), name: z.string().catch("") });
const named = namedSchema.nullish().transform((value) => value ?? null);

export const projectRecordSchema = z.looseObject({
  id: z.string(),
  key: z.string(),
  name: z.string(),
  description: text,
  /** `software`, `service_desk`, `business` or `product_discovery`. */
  projectTypeKey: z.string(),
  /** `classic` (company-managed) or `next-gen` (team-managed). */
  style: text,
  lead: person,
});
export type ProjectRecord = z.output<typeof projectRecordSchema>;

export const statusRecordSchema = z.looseObject({
  id: z.string(),
  name: z.string(),
  statusCategory: z.looseObject({ key: z.string(), name: z.string().catch("") }).nullish(),
});
export type StatusRecord = z.output<typeof statusRecordSchema>;

export const issueTypeRecordSchema = z.looseObject({
  id: z.string(),
  name: z.string(),
  subtask: z.boolean().catch(false),
  /** -1 = sub-task, 0 = standard, 1 = epic. */
  hierarchyLevel: z.number().catch(0),
});
export type IssueTypeRecord = z.output<typeof issueTypeRecordSchema>;

export const fieldRecordSchema = z.looseObject({
  id: z.string(),
  name: z.string(),
  custom: z.boolean().catch(false),
  /** `{ type, items?, system?, custom?, customId? }` as in the API; `custom` is the type's key. */
  schema: z
    .looseObject({
      type: z.string(),
      items: z.string().optional(),
      system: z.string().optional(),
      custom: z.string().optional(),
    })
    .nullish(),
});
export type FieldRecord = z.output<typeof fieldRecordSchema>;

/** A board with its configuration: `columns[].statuses[].id` in order, `filter`, `estimation`, `ranking`. */
export const boardRecordSchema = z.looseObject({
  id: z.string(),
  name: z.string(),
  /** `scrum`, `kanban` or `simple` (team-managed). */
  type: z.string(),
  columns: listOf(z.looseObject({ name: z.string(), statuses: listOf(z.looseObject({ id: z.string() })) })),
  /** Id of the field that ranks issues; null = the board does not rank. */
  rankFieldId: text,
});
export type BoardRecord = z.output<typeof boardRecordSchema>;

export const sprintRecordSchema = z.looseObject({
  id: z.string(),
  name: z.string(),
  /** `future`, `active` or `closed`. */
  state: z.string(),
  startDate: text,
  endDate: text,
  completeDate: text,
  goal: text,
  /** Jira sends a number. */
  originBoardId: z
    .union([z.string(), z.number()])
    .nullish()
    .transform((id) => (id == null ? null : String(id))),
});
export type SprintRecord = z.output<typeof sprintRecordSchema>;

export const attachmentFactsSchema = z.looseObject({
  id: z.string(),
  filename: z.string(),
  size: z.number().catch(0),
  mimeType: text,
  author: person,
  created: text,
});
export type AttachmentFacts = z.output<typeof attachmentFactsSchema>;

export const issueLinkSchema = z.looseObject({
  id: z.string(),
  type: z.looseObject({ id: z.string(), name: z.string(), inward: text, outward: text }),
  /** Exactly one of the two: the other issue. */
  inwardIssue: z.looseObject({ id: z.string(), key: z.string() }).optional(),
  outwardIssue: z.looseObject({ id: z.string(), key: z.string() }).optional(),
});

/**
 * An issue: `{ id, key, fields }`, with `fields` by field id as the API sends them (`fields=*all`), without `comment`
 * and `worklog`, which have records of their own.
 */
export const issueRecordSchema = z.looseObject({
  id: z.string(),
  key: z.string(),
  fields: z.looseObject({
    summary: z.string().catch(""),
    description: adf,
    issuetype: issueTypeRecordSchema,
    status: statusRecordSchema,
    priority: named,
    resolution: named,
    parent: z.looseObject({ id: z.string(), key: z.string() }).nullish(),
    assignee: person,
    reporter: person,
    creator: person,
    created: text,
    updated: text,
    duedate: text,
    resolutiondate: text,
    labels: listOf(z.string()),
    components: listOf(namedSchema),
    fixVersions: listOf(namedSchema),
    versions: listOf(namedSchema),
    attachment: listOf(attachmentFactsSchema),
    issuelinks: listOf(issueLinkSchema),
    security: named,
  }),
});
export type IssueRecord = z.output<typeof issueRecordSchema>;

/** See `recordPaths.issueExtras`. Empty lists are left out; an issue with nothing of them has no such record. */
export const issueExtrasSchema = z.looseObject({
  watchers: listOf(personSchema),
  voters: listOf(personSchema),
  /** As `GET /issue/{key}/remotelink` sends them. */
  remoteLinks: listOf(z.looseObject({ id: z.string(), object: z.looseObject({ url: text, title: text }) })),
  /** Entity properties by key. */
  properties: z
    .record(z.string(), z.json())
    .nullish()
    .transform((value) => value ?? {}),
});
export type IssueExtras = z.output<typeof issueExtrasSchema>;

const visibility = z.looseObject({ type: z.string(), value: text, identifier: text }).nullish();

export const commentRecordSchema = z.looseObject({
  id: z.string(),
  author: person,
  updateAuthor: person,
  created: text,
  updated: text,
  body: adf,
  /** Restricted to a group or a role. */
  visibility,
  /** JSM: true = the customer sees it. */
  jsdPublic: z.boolean().nullish(),
});
export type CommentRecord = z.output<typeof commentRecordSchema>;

export const worklogRecordSchema = z.looseObject({
  id: z.string(),
  author: person,
  updateAuthor: person,
  created: text,
  updated: text,
  started: text,
  timeSpent: text,
  timeSpentSeconds: z.number().catch(0),
  comment: adf,
  visibility,
});
export type WorklogRecord = z.output<typeof worklogRecordSchema>;

/** An entry of the changelog: who changed which fields, from what to what. */
export const changeRecordSchema = z.looseObject({
  id: z.string(),
  author: person,
  created: text,
  items: listOf(
    z.looseObject({
      field: z.string(),
      fieldId: text,
      from: text,
      fromString: text,
      to: text,
      // Every object has a method of this name, which stands in for a missing value.
      toString: z.unknown().transform((value) => (typeof value === "string" ? value : null)),
    }),
  ),
});
export type ChangeRecord = z.output<typeof changeRecordSchema>;
