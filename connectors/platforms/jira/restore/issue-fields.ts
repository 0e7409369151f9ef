import { z } from "zod";
import type { Json } from "#core/kernel/canonical-json.ts";
import { type Adf, adfSchema, type IssueRecord } from "../record-types.ts";
import { isAlike } from "./columns.ts";
import {
  type FieldValue,
  isOwnWay,
  isRequestType,
  matchField,
  type ValueContext,
  valueFor,
} from "./field-values.ts";
import { type CreateField, type CreateType, MARK_PROPERTY, type NewIssue } from "./jira-calls.ts";
import { describedIssue, quietMentions, sprintLabel } from "./provenance.ts";
import { hasMedia, type NewFile, repointMedia } from "./repoint-media.ts";
import type { RestoreIo } from "./restore-io.ts";
import { madeOf } from "./restored-issues.ts";
import { keysIn, rewriteKeys } from "./rewrite-keys.ts";
import type { VersionFrame } from "./version-frame.ts";

/** A value that was not applied. */
export type Loss = { what: string; reason: string };

/** How an issue is created, and what is lost of it. `refused` = it must not be created. */
export type Prepared =
  | { type: "ready"; issue: NewIssue; issueType: CreateType; losses: Loss[] }
  | { type: "refused"; reason: string };

/** Names of components and versions of the target, in lower case, with their ids. */
export type Names = { components: ReadonlyMap<string, string>; versions: ReadonlyMap<string, string> };

const LONGEST_SUMMARY = 255;
/** System fields that are set from the record as they are, by id. */
const PLAIN_SYSTEM = ["priority", "components", "fixVersions", "versions", "duedate", "environment"] as const;
const NO_FIELD = "The create screen of the target has no such field.";

/**
 * Prepares the creation of an issue: every value that the target takes, matched by name. Documents are written without
 * files and with old keys; `textsOf` writes them again when everything is there.
 */
export async function prepareIssue(io: RestoreIo, record: IssueRecord, names: Names): Promise<Prepared> {
  const { target } = io;
  const parent = record.fields.parent ? await parentOf(io, record) : null;
  const found = target.typeFor(record.fields.issuetype, parent !== null);
  if (found === null) return { type: "refused", reason: "The target takes no issues of any type." };
  const losses: Loss[] = [];
  const lose = (what: string, reason: string) => void losses.push({ what, reason });
  const issueType = found.type;
  const fields = await target.fieldsOf(issueType.id);
  const values: Record<string, Json> = {
    project: { id: target.project.id },
    issuetype: { id: issueType.id },
    summary: summaryOf(record, lose),
  };
  if (found.isOther) {
    const { name } = record.fields.issuetype;
    lose(`Type ${name}`, `The target has none on its level; such issues became ${issueType.name}.`);
  }
  if (record.fields.parent) {
    if (parent !== null && parent.level === issueType.hierarchyLevel + 1) values.parent = { key: parent.key };
    else lose("Parents", "The parent is not in the target, or its type there has no children.");
  }
  const people = await target.people(peopleOf(record));
  const context: ValueContext = { ...names, people, text: firstText };
  const set = (id: string, name: string, given: { field: CreateField | null; value: Json }) => {
    if (isEmpty(given.value)) return;
    if (given.field === null) return lose(`Field ${name}`, NO_FIELD);
    const { value, lost }: FieldValue = valueFor(given.value, given.field, context);
    if (value !== undefined) values[id] = value;
    for (const word of lost) lose(`Field ${name}: ${word}`, "The target does not know this value.");
  };
  const system = (id: string) => fields.find(({ fieldId }) => fieldId === id) ?? null;
  for (const id of PLAIN_SYSTEM) {
    const name = nameOf(io, id);
    set(id, name, { field: system(id), value: (record.fields[id] ?? null) as Json });
  }
  for (const id of ["assignee", "reporter"] as const) {
    const person = record.fields[id];
    if (person === null) continue;
    if (system(id) !== null && people.has(person.accountId)) values[id] = { accountId: person.accountId };
    else
      lose(
        `${nameOf(io, id)} ${person.displayName}`,
        "The account may not set them, or they have left the site.",
      );
  }
  const labels = labelsOf(io, record);
  if (labels.length > 0) {
    if (system("labels")) values.labels = labels;
    else lose("Labels", NO_FIELD);
  }
  const estimate = estimateOf(record);
  if (estimate !== null) {
    if (system("timetracking")) values.timetracking = estimate;
    else lose("Estimates", NO_FIELD);
  }
  const request = requestTypeOf(io.frame, record);
  if (request !== null) lose(`Request type ${request}`, NO_REQUEST_TYPE);
  for (const field of io.frame.fields) {
    const value = (record.fields[field.id] ?? null) as Json;
    if (!field.custom || isOwnWay(field) || isEmpty(value)) continue;
    const match = matchField(field, fields);
    set(match?.fieldId ?? field.id, field.name, { field: match, value });
  }
  if (record.fields.security) {
    const level = system("security");
    const { value } = level ? valueFor(record.fields.security as Json, level, context) : { value: undefined };
    if (value !== undefined) values.security = value;
    else if (!io.answers.restricted) {
      const reason = `Only some people may see it (${record.fields.security.name}), and the target has no such security level.`;
      return { type: "refused", reason };
    } else
      lose(
        `Security level ${record.fields.security.name}`,
        "Everybody who sees the project sees these issues.",
      );
  }
  const described = descriptionOf(io, record);
  if (described === record.fields.description)
    lose("Where issues come from", "The description is so long that Jira takes no panel with it.");
  const doc = firstText(described as Json);
  if (system("description")) values.description = doc;
  else lose("Descriptions", NO_FIELD);
  const properties = [{ key: MARK_PROPERTY, value: { restore: io.mark, key: record.key, id: record.id } }];
  return { type: "ready", issue: { fields: values, properties }, issueType, losses };
}

/** Why the type of a request is lost; plan and report tell it in the same words. */
export const NO_REQUEST_TYPE = "Jira's API for issues sets none; customers see such requests without a type.";

const requestSchema = z.looseObject({ requestType: z.looseObject({ name: z.string() }) });

/** The name of the type of request of an issue of a service project; null = it has none. */
export function requestTypeOf({ fields }: Pick<VersionFrame, "fields">, record: IssueRecord): string | null {
  const field = fields.find(isRequestType);
  const value = field && record.fields[field.id];
  if (value === undefined || value === null) return null;
  const parsed = requestSchema.safeParse(value);
  return parsed.success ? parsed.data.requestType.name : "of an unknown form";
}

/** A restored issue's mark: which restore made it, from which issue. */
export const markSchema = z.looseObject({ restore: z.string(), key: z.string(), id: z.string() });

/**
 * The parent of a restored issue: the restored one, or the original if the issue comes back alone into its own project.
 * Null when the issue has no parent.
 */
async function parentOf(
  io: RestoreIo,
  { fields }: IssueRecord,
): Promise<{ key: string; level: number } | null> {
  if (!fields.parent) return null;
  const made = await madeOf(io.journal, fields.parent.key);
  if (made === null) {
    const isAlone = io.part !== null && io.target.project.key === io.source.projectKey;
    return isAlone ? await io.target.original(fields.parent.key) : null;
  }
  const type = io.target.types.find(({ id }) => id === made.typeId);
  return { key: made.key, level: type?.hierarchyLevel ?? 0 };
}

function summaryOf({ fields }: IssueRecord, lose: (what: string, reason: string) => void): string {
  const text = fields.summary.replace(/[\r\n]+/g, " ").trim() || "(no summary)";
  if (text.length <= LONGEST_SUMMARY) return text;
  lose("Long summaries", `Jira takes ${LONGEST_SUMMARY} characters; the rest was cut.`);
  return text.slice(0, LONGEST_SUMMARY);
}

const sprintsSchema = z
  .array(z.looseObject({ id: z.union([z.string(), z.number()]).transform(String), name: z.string() }))
  .catch([]);

/** The sprints that an issue was in, and the one that it is in. `isOpen` = it can be made again. */
export function sprintsOf(
  { frame }: { frame: Pick<VersionFrame, "fields" | "sprints"> },
  record: IssueRecord,
): { id: string; name: string; isOpen: boolean }[] {
  const field = frame.fields.find(({ schema }) => /:gh-sprint$/.test(schema?.custom ?? ""));
  const values = field === undefined ? [] : sprintsSchema.parse(record.fields[field.id] ?? []);
  return values.map(({ id, name }) => {
    const known = frame.sprints.find((sprint) => sprint.id === id);
    return { id, name, isOpen: known !== undefined && known.state !== "closed" };
  });
}

/** A sprint that cannot be filled again: a closed one, or any if the target has no sprints. */
function isKeptAsLabel(io: RestoreIo, { isOpen }: { isOpen: boolean }): boolean {
  return !isOpen || io.target.scrumBoard === null;
}

function labelsOf(io: RestoreIo, record: IssueRecord): string[] {
  const sprints = sprintsOf(io, record).filter((sprint) => isKeptAsLabel(io, sprint));
  return [...new Set([...record.fields.labels, ...sprints.map(({ name }) => sprintLabel(name))])];
}

/** The description with its panel, before keys and files are put into place. */
export function descriptionOf(io: RestoreIo, record: IssueRecord): Adf {
  const sprints = sprintsOf(io, record).filter((sprint) => isKeptAsLabel(io, sprint));
  const { status, description } = record.fields;
  const wanted = io.target.statusFor(status);
  return describedIssue(record, description, {
    sprints: sprints.map(({ name }) => name),
    status: wanted !== null && isAlike(wanted.name, status.name) ? null : status.name,
  });
}

/** A document as it can be written at once: nobody is notified, and files are named. */
function firstText(doc: Json): Json {
  return repointMedia(quietMentions(doc as Adf).doc, []).doc as Json;
}

/**
 * The documents of an issue that must be written again, now that files and keys are known, by the ids of the target's
 * fields; and the names of files that they showed and that were not restored.
 */
export async function textsOf(
  io: RestoreIo,
  record: IssueRecord,
  { typeId, files }: { typeId: string; files: readonly NewFile[] },
): Promise<{ fields: Record<string, Json>; lost: string[] }> {
  const targets = await io.target.fieldsOf(typeId);
  const has = (id: string) => targets.some(({ fieldId }) => fieldId === id);
  const docs = new Map<string, Adf>();
  if (record.fields.description && has("description")) docs.set("description", record.fields.description);
  const environment = adfSchema.safeParse(record.fields.environment);
  if (environment.success && has("environment")) docs.set("environment", environment.data);
  for (const field of io.frame.fields) {
    const parsed = field.custom ? adfSchema.safeParse(record.fields[field.id]) : null;
    const match = parsed?.success ? matchField(field, targets) : null;
    if (parsed?.success && match) docs.set(match.fieldId, parsed.data);
  }
  const fields: Record<string, Json> = {};
  const lost: string[] = [];
  for (const [id, doc] of docs) {
    const keys = await newKeysOf(io, doc);
    if (!hasMedia(doc) && keys.size === 0) continue;
    const written = finalText(io, doc, { keys, files });
    lost.push(...written.lost);
    fields[id] = (id === "description" ? withPanel(io, record, written.doc) : written.doc) as Json;
  }
  return { fields, lost };
}

function withPanel(io: RestoreIo, record: IssueRecord, description: Adf): Adf {
  return descriptionOf(io, { ...record, fields: { ...record.fields, description } });
}

/** A document with new keys and files, that notifies nobody. */
export function finalText(
  io: RestoreIo,
  doc: Adf,
  { keys, files }: { keys: ReadonlyMap<string, string>; files: readonly NewFile[] },
): { doc: Adf; lost: string[] } {
  return repointMedia(rewriteKeys(quietMentions(doc).doc, io.source, keys), files);
}

/** The new keys of issues that a document mentions. */
export async function newKeysOf(io: RestoreIo, doc: Adf | null): Promise<Map<string, string>> {
  const keys = new Map<string, string>();
  for (const key of keysIn(doc, io.source)) {
    const made = await madeOf(io.journal, key);
    if (made !== null) keys.set(key, made.key);
  }
  return keys;
}

const timetracking = z.looseObject({
  originalEstimate: z.string().optional(),
  remainingEstimate: z.string().optional(),
});

function estimateOf({ fields }: IssueRecord): Json {
  const parsed = timetracking.safeParse(fields.timetracking);
  if (!parsed.success) return null;
  const { originalEstimate, remainingEstimate } = parsed.data;
  if (originalEstimate === undefined && remainingEstimate === undefined) return null;
  return { ...(originalEstimate && { originalEstimate }), ...(remainingEstimate && { remainingEstimate }) };
}

const someone = z.looseObject({ accountId: z.string() });

/** Account ids of everybody whom a field of the issue names. */
function peopleOf({ fields }: IssueRecord): string[] {
  const found = new Set<string>();
  for (const value of Object.values(fields)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      const parsed = someone.safeParse(one);
      if (parsed.success) found.add(parsed.data.accountId);
    }
  }
  return [...found];
}

function nameOf({ frame }: RestoreIo, id: string): string {
  return frame.fields.find((field) => field.id === id)?.name ?? id;
}

function isEmpty(value: Json): boolean {
  return value === null || value === "" || (Array.isArray(value) && value.length === 0);
}
