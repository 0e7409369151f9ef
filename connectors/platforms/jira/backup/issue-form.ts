import { tidyJson } from "#connectors/toolkit/records/tidy-json.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import type { Issue } from "../payloads.ts";
import { recordForm } from "../record-form.ts";

type Fields = { [key: string]: Json };

/** Jira writes times in the time zone of whoever asks, e.g. `2026-11-26T09:30:00.000+0100`. */
const LOCAL_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d{4}$/;

/**
 * A record's value: without what changes by itself, and with times in UTC in Jira's own form, so that a version does not
 * depend on the time zone of the account that reads.
 */
export function plainForm(value: unknown): Json {
  return tidyJson(recordForm(value), (_key, member) => inUtc(member));
}

function inUtc(value: Json): Json {
  if (typeof value !== "string" || !LOCAL_TIME.test(value)) return value;
  const at = Date.parse(value.replace(/(\d\d)$/, ":$1"));
  return Number.isNaN(at) ? value : new Date(at).toISOString().replace("Z", "+0000");
}

/**
 * An issue without comments, worklogs and history, which have records of their own. What it shows of other things is
 * reduced to their ids and names, because it changes without this issue: linked issues, its sprints, its project.
 */
export function issueForm({ id, key, fields }: Issue): Json {
  const { comment: _comment, worklog: _worklog, watches, votes, ...rest } = fields;
  const kept: Fields = {};
  for (const [name, value] of Object.entries(plainForm(rest) as Fields)) {
    // An empty field is not in the record.
    if (value !== null) kept[name] = fieldForm(name, value);
  }
  if (watches?.watchCount) kept.watches = { watchCount: watches.watchCount };
  if (votes?.votes) kept.votes = { votes: votes.votes };
  return { id, key, fields: kept };
}

function fieldForm(name: string, value: Json): Json {
  switch (name) {
    case "project":
    case "parent":
      return referenceOf(value);
    case "subtasks":
      return sortedById(listOf(value).map(referenceOf));
    case "issuelinks":
      return sortedById(listOf(value).map(linkForm));
    case "labels":
      return listOf(value).toSorted();
    case "attachment":
    case "components":
    case "fixVersions":
    case "versions":
      return sortedById(listOf(value));
    default:
      return isSprints(value) ? sortedById(value.map(sprintForm)) : value;
  }
}

const listOf = (value: Json): Json[] => (Array.isArray(value) ? value : []);

function referenceOf(value: Json): Json {
  const { id, key } = (value ?? {}) as Fields;
  return { ...(id === undefined ? {} : { id }), ...(key === undefined ? {} : { key }) };
}

function linkForm(link: Json): Json {
  const { inwardIssue, outwardIssue, ...rest } = link as Fields;
  return {
    ...rest,
    ...(inwardIssue === undefined ? {} : { inwardIssue: referenceOf(inwardIssue) }),
    ...(outwardIssue === undefined ? {} : { outwardIssue: referenceOf(outwardIssue) }),
  };
}

/** The value of the field of sprints, whose id differs from site to site. */
function isSprints(value: Json): value is Fields[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((one) => typeof one === "object" && one !== null && "state" in one && "boardId" in one)
  );
}

const sprintForm = ({ id, name }: Fields): Json => ({ id: id ?? null, name: name ?? null });

/** Sorts by id, numerically where ids are numbers. */
export function sortedById<T extends Json>(all: readonly T[]): T[] {
  const idOf = (one: T) => String((one as Fields | null)?.id ?? "").padStart(20, "0");
  return all.toSorted((one, other) => {
    const [a, b] = [idOf(one), idOf(other)];
    return a < b ? -1 : Number(a > b);
  });
}
