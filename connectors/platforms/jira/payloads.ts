import { z } from "zod";
import { idText, optionalText as text } from "#connectors/toolkit/payload-parts.ts";

/** Schemas of Jira's responses. Unknown fields are kept, because records store everything that Jira sends. */

const count = z.int().nonnegative();
/** A list; empty when it is missing. */
const listOf = <S extends z.ZodType>(schema: S) =>
  z
    .array(schema)
    .nullish()
    .transform((value) => value ?? []);

/** Anything with an id. */
export const thingSchema = z.looseObject({ id: idText });
export type Thing = z.output<typeof thingSchema>;
export const thingsSchema = z.array(thingSchema);
/** Anything with an id and a name. */
export const namedSchema = z.looseObject({ id: idText, name: z.string().catch("") });
export type Named = z.output<typeof namedSchema>;

/** What a connection stores of its site and of the person who connected it. */
export const connectionSchema = z.object({
  cloudId: z.string().min(1),
  siteUrl: z.string(),
  accountId: z.string().catch(""),
  fullName: text,
  timeZone: text,
});
export type Connection = z.output<typeof connectionSchema>;

/** The sites that a grant covers, one entry for each product of a site. */
export const sitesSchema = z.array(
  z.object({ id: z.string().min(1), name: z.string(), url: z.string(), scopes: listOf(z.string()) }),
);
export type Site = z.output<typeof sitesSchema>[number];

export const tenantSchema = z.object({ cloudId: z.string().min(1) });
export const meSchema = z.object({ accountId: z.string().min(1), displayName: z.string(), timeZone: text });

/** Members of the site by account id. People who are no members are left out (contract, `GET /user/bulk`). */
export const usersSchema = z.object({
  values: listOf(z.looseObject({ accountId: z.string(), displayName: z.string().catch("") })),
});

/** The answer to a report of accounts (Atlassian's "User privacy guide for app developers"). */
export const reportedSchema = z.object({
  accounts: z.array(z.object({ accountId: z.string(), status: z.enum(["closed", "updated"]) })),
});

/** A page of the older kind: `startAt` and a total. */
export const pageOf = <S extends z.ZodType>(member: S) =>
  z.object({
    startAt: count.nullish().transform((value) => value ?? 0),
    total: count.nullish().transform((value) => value ?? null),
    isLast: z
      .boolean()
      .nullish()
      .transform((value) => value ?? null),
    values: z.array(member),
  });

export const projectSchema = z.looseObject({
  id: idText,
  key: z.string().min(1),
  name: z.string(),
  description: text,
  projectTypeKey: z.string().catch(""),
  style: text,
  isPrivate: z.boolean().catch(false),
  components: listOf(namedSchema),
  versions: listOf(namedSchema),
  issueTypes: listOf(namedSchema),
  /** `expand=insight`: what Jira itself counts, also what we may not see. */
  insight: z.looseObject({ totalIssueCount: count.nullish() }).nullish(),
});
export type Project = z.output<typeof projectSchema>;

/** The statuses of a project by type of issue. */
export const typeStatusesSchema = z.array(
  z.looseObject({ id: idText, name: z.string().catch(""), statuses: listOf(namedSchema) }),
);

/** The first page of a list of an issue. Some of Jira's examples show the bare list (contract, `POST /search/jql`). */
const embedded = <Name extends string, S extends z.ZodType>(name: Name, member: S) =>
  z.preprocess(
    (value) => (Array.isArray(value) ? { total: value.length, [name]: value } : value),
    z
      .looseObject({ total: count.catch(0), [name]: listOf(member) } as {
        total: z.ZodCatch<typeof count>;
      } & { [K in Name]: ReturnType<typeof listOf<S>> })
      .nullish()
      .transform((value) => value ?? null),
  );

/** An entry of one of the lists of an issue. Its schema in `record-types.ts` names what readers use. */
export const entrySchema = z.looseObject({ id: idText, created: text });
export type Entry = z.output<typeof entrySchema>;

export const attachmentSchema = z.looseObject({
  id: idText,
  filename: z.string().catch(""),
  size: count.catch(0),
});
export type Attachment = z.output<typeof attachmentSchema>;

export const issueSchema = z.looseObject({
  id: idText,
  key: z.string().min(1),
  fields: z.looseObject({
    summary: z
      .string()
      .nullish()
      .transform((value) => value ?? ""),
    updated: text.catch(null),
    attachment: listOf(attachmentSchema),
    comment: embedded("comments", entrySchema),
    worklog: embedded("worklogs", entrySchema),
    watches: z.looseObject({ watchCount: count }).nullish(),
    votes: z.looseObject({ votes: count }).nullish(),
  }),
  changelog: embedded("histories", entrySchema),
});
export type Issue = z.output<typeof issueSchema>;

/** A page of a search. No token = the last page. */
export const foundSchema = z.object({
  issues: listOf(issueSchema),
  nextPageToken: text,
  isLast: z.boolean().nullish(),
});
export const bulkSchema = z.object({ issues: listOf(issueSchema) });
/** A page of ids and keys. */
export const foundIdsSchema = z.object({
  issues: listOf(z.object({ id: idText, key: z.string().min(1) })),
  nextPageToken: text,
  isLast: z.boolean().nullish(),
});
export const countSchema = z.object({ count });

export const commentsSchema = z.object({ total: count, comments: z.array(entrySchema) });
export const worklogsSchema = z.object({ total: count, worklogs: z.array(entrySchema) });
export const changesSchema = pageOf(entrySchema);

export const watchersSchema = z.object({ watchers: listOf(z.looseObject({ accountId: z.string() })) });
export const votersSchema = z.object({ voters: listOf(z.looseObject({ accountId: z.string() })) });
export const remoteLinksSchema = z.array(z.looseObject({ id: idText }));
export const keysSchema = z.object({ keys: listOf(z.object({ key: z.string() })) });
export const propertySchema = z.object({ key: z.string(), value: z.json() });

/** Role names with the URLs of their details, which end in their ids. */
export const rolesSchema = z.record(z.string(), z.string());
export const anythingSchema = z.json();
export const anythingsSchema = z.array(z.json());
export const boardSchema = z.looseObject({
  id: idText,
  name: z.string().catch(""),
  type: z.string().catch(""),
});
export type Board = z.output<typeof boardSchema>;
export const columnsSchema = z.looseObject({
  filter: z.looseObject({ id: idText }).nullish(),
  columnConfig: z.looseObject({ columns: listOf(z.json()) }).nullish(),
  estimation: z.json().optional(),
  ranking: z.looseObject({ rankCustomFieldId: idText }).nullish(),
});
