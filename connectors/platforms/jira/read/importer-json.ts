import type { Json } from "#core/kernel/canonical-json.ts";
import type { FieldRecord, IssueRecord, Person, ProjectRecord } from "../record-types.ts";
import { adfToText } from "./adf-text.ts";
import type { IssueFolder } from "./issue-folders.ts";
import type { Names } from "./names.ts";
import { valueText } from "./value-text.ts";

/** A link between two issues of a file, by their ids. */
export type ImportedLink = { name: string; sourceId: string; destinationId: string };

/**
 * An issue in the format of Jira's JSON importer (support.atlassian.com, Jira Cloud administration, "Import data from
 * JSON"). Only the beginning of Atlassian's example was at hand: the forms of comments, worklogs, attachments, voters,
 * environment, dates and estimates are not proved (docs/live-check.md). People are their account ids. Texts are without formatting, since the importer knows only wiki markup.
 *
 * @param pathOf The path of an attachment in the ZIP; null = its bytes are not in the version
 */
export function importedIssue(
  { issue, extras, comments, worklogs, changes }: IssueFolder,
  names: Names,
  pathOf: (attachmentId: string) => string | null,
): { value: Json; people: string[] } {
  const people = new Set<string>();
  const person = (who: Person | null) => {
    if (who !== null) people.add(who.accountId);
    return who?.accountId;
  };
  const { key, id, fields } = issue;
  const value = filled({
    key,
    externalId: id,
    summary: fields.summary,
    issueType: fields.issuetype.name,
    status: fields.status.name,
    priority: fields.priority?.name,
    resolution: fields.resolution?.name,
    reporter: person(fields.reporter ?? fields.creator),
    assignee: person(fields.assignee),
    created: fields.created,
    updated: fields.updated,
    resolutionDate: fields.resolutiondate,
    duedate: fields.duedate,
    description: wikiText(fields.description),
    environment: wikiText(fields.environment),
    labels: fields.labels,
    components: fields.components.map(({ name }) => name),
    fixedVersions: fields.fixVersions.map(({ name }) => name),
    affectedVersions: fields.versions.map(({ name }) => name),
    originalEstimate: period(fields.timeoriginalestimate),
    estimate: period(fields.timeestimate),
    timeSpent: period(fields.timespent),
    watchers: extras?.watchers.map(person),
    voters: extras?.voters.map(person),
    customFieldValues: customValues(issue, names),
    comments: comments.map(({ body, author, created }) =>
      filled({ body: wikiText(body), author: person(author), created }),
    ),
    worklogs: worklogs.map(({ author, comment, started, timeSpentSeconds }) =>
      filled({
        author: person(author),
        comment: wikiText(comment),
        startDate: started,
        timeSpent: period(timeSpentSeconds),
      }),
    ),
    history: changes.map(({ author, created, items }) =>
      filled({
        author: person(author),
        created,
        items: items.map((item) =>
          filled({
            fieldType: item.fieldId?.startsWith("customfield_") ? "custom" : "jira",
            field: item.field,
            from: item.from,
            fromString: item.fromString,
            to: item.to,
            toString: item.toString,
          }),
        ),
      }),
    ),
    attachments: fields.attachment.flatMap(({ id: file, filename, author, created }) => {
      const uri = pathOf(file);
      return uri === null ? [] : [filled({ name: filename, attacher: person(author), created, uri })];
    }),
  });
  return { value, people: [...people] };
}

/** Links that start at an issue, and to its parent if it is a sub-task. */
export function importedLinks({ id, fields }: IssueRecord): ImportedLink[] {
  const links = fields.issuelinks.flatMap(({ type, outwardIssue }) =>
    outwardIssue ? [{ name: type.name, sourceId: id, destinationId: outwardIssue.id }] : [],
  );
  // The importer knows the link of a sub-task by this name.
  const parent =
    fields.issuetype.subtask && fields.parent
      ? [{ name: "sub-task-link", sourceId: id, destinationId: fields.parent.id }]
      : [];
  return [...parent, ...links];
}

/** A file's members around its issues. */
export function importedProject(
  project: Pick<ProjectRecord, "name" | "key" | "projectTypeKey" | "description">,
  { components, versions }: { components: readonly string[]; versions: readonly Json[] },
): { [key: string]: Json } {
  const { name, key, projectTypeKey, description } = project;
  return filled({
    name,
    key,
    type: projectTypeKey,
    description,
    versions: [...versions],
    components: [...components],
  });
}

function customValues({ fields }: IssueRecord, { fields: known }: Names): Json[] {
  return Object.entries(fields).flatMap(([id, value]) => {
    const field = known.get(id);
    if (!field?.custom || !field.schema?.custom) return [];
    const plain = customValue(value, field);
    return plain === null ? [] : [{ fieldName: field.name, fieldType: field.schema.custom, value: plain }];
  });
}

/** Fields of sprints, ranks and apps are left out: their values mean something at their own site only. */
const LOCAL = /:(gh-sprint|gh-lexo-rank|gh-epic-color|gh-epic-status)$/;

function customValue(value: unknown, field: FieldRecord): Json {
  const { type = "", items = "", custom = "" } = field.schema ?? {};
  if (LOCAL.test(custom) || type === "any") return null;
  if (Array.isArray(value)) {
    const all = value.flatMap((each) => plainValue(each, items) ?? []);
    return all.length === 0 ? null : all;
  }
  return plainValue(value, type);
}

function plainValue(value: unknown, type: string): string | null {
  if (type === "user" && typeof value === "object" && value !== null) {
    const { accountId } = value as { accountId?: unknown };
    return typeof accountId === "string" ? accountId : null;
  }
  if (typeof value === "string") return value === "" ? null : value;
  return valueText(value, { id: "", schema: null });
}

/** Text that wiki markup leaves as it is, except for emphasis. */
function wikiText(document: unknown): string | null {
  return adfToText(document).replace(/[{[]/g, "\\$&") || null;
}

/** Seconds as an ISO 8601 period, e.g. `PT5400S`. */
function period(seconds: unknown): string | null {
  return typeof seconds === "number" && seconds > 0 ? `PT${Math.round(seconds)}S` : null;
}

/** Without members that are absent or empty. */
function filled(members: Readonly<Record<string, unknown>>): { [key: string]: Json } {
  return Object.fromEntries(
    Object.entries(members).filter(
      ([, value]) => value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0),
    ),
  ) as { [key: string]: Json };
}
