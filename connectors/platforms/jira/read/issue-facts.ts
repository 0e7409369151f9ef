import type { Field, Tag } from "#connectors/contract/field.ts";
import { listField, wordField } from "#connectors/toolkit/views/values.ts";
import type { FieldRecord, IssueRecord, SprintRecord } from "../record-types.ts";
import { adfToText } from "./adf-text.ts";
import type { Names } from "./names.ts";
import { valueText } from "./value-text.ts";

/** Custom fields that are shown elsewhere, or serve Jira's own screens only. */
const HIDDEN_TYPES = /:(gh-lexo-rank|gh-sprint|gh-epic-color|gh-epic-status|devsummarycf|devsummary)$/;

/** True when the issue is done, by the category of its status. */
export function isDone({ fields }: IssueRecord): boolean {
  return fields.status.statusCategory?.key === "done";
}

/** Labels as tags without a colour, which Jira's do not have. */
export function tagsOf({ fields }: IssueRecord): Tag[] {
  return fields.labels.map((name) => ({ name, hue: null, shade: "normal" }));
}

/** The estimate in points; null = none. */
export function pointsOf({ fields }: IssueRecord, { pointFields }: Names): number | null {
  for (const id of pointFields) {
    const value = fields[id];
    if (typeof value === "number") return value;
  }
  return null;
}

/**
 * Sprints of an issue in the order of their ids, i.e. of their making; the open one, if any, is the last. Without a
 * sprint's own record, e.g. because the account may not see its board, the issue still has its name.
 */
export function sprintsOf({ fields }: IssueRecord, { sprintField, sprints }: Names): IssueSprint[] {
  const value = sprintField === null ? null : fields[sprintField];
  const all = (Array.isArray(value) ? value : []).flatMap((each): IssueSprint[] => {
    const { id, name } = (typeof each === "object" && each !== null ? each : {}) as Record<string, unknown>;
    const known = sprints.get(String(id));
    if (known) return [known];
    return typeof name === "string" && name !== "" ? [{ id: String(id), name, state: "closed" }] : [];
  });
  return all.toSorted((one, other) => Number(isOpen(one)) - Number(isOpen(other)));
}

type IssueSprint = Pick<SprintRecord, "id" | "name" | "state">;

const isOpen = ({ state }: IssueSprint): boolean => state !== "closed";

/** The sprint that an issue is in, or was in last; null = none. */
export function sprintOf(issue: IssueRecord, names: Names): IssueSprint | null {
  return sprintsOf(issue, names).at(-1) ?? null;
}

/** Fields that a kind of view shows in a place of its own. */
type Place = "status" | "assignee" | "duedate";

/**
 * The fields of an issue with the names that people see, without title, description, labels and what the view shows
 * elsewhere. Parent, links and sub-tasks need other entries (`issue-relations.ts`).
 */
export function issueFields(issue: IssueRecord, names: Names, elsewhere: readonly Place[]): Field[] {
  const { fields } = issue;
  const named = (id: string, name: string, value: string | null | undefined) =>
    elsewhere.some((place) => place === id) ? [] : wordField(names.fields.get(id)?.name || name, value);
  const own = (id: string, name: string) =>
    named(id, name, valueText(fields[id], names.fields.get(id) ?? { id, schema: null }));
  const list = (id: "components" | "fixVersions" | "versions", name: string) =>
    named(id, name, fields[id].map((each) => each.name).join(", "));
  const points = pointsOf(issue, names);
  return [
    ...named("issuetype", "Type", fields.issuetype.name),
    ...named("status", "Status", fields.status.name),
    ...named("priority", "Priority", fields.priority?.name),
    ...named("assignee", "Assignee", fields.assignee?.displayName),
    ...named("reporter", "Reporter", fields.reporter?.displayName),
    ...listField(
      "Sprint",
      sprintsOf(issue, names).map(({ name }) => name),
    ),
    ...named(names.pointFields[0] ?? "", "Story points", points === null ? null : String(points)),
    ...list("components", "Components"),
    ...list("fixVersions", "Fix versions"),
    ...list("versions", "Affects versions"),
    ...named("resolution", "Resolution", fields.resolution?.name),
    ...named("duedate", "Due date", fields.duedate),
    ...own("environment", "Environment"),
    ...named("security", "Security level", fields.security?.name),
    ...own("timeoriginalestimate", "Original estimate"),
    ...own("timeestimate", "Remaining estimate"),
    ...own("timespent", "Time spent"),
    ...customFields(issue, names).map(({ field, text }) => ({ name: field.name, value: text })),
  ];
}

/** An issue's own fields that have a value, by name. A field without a record has no name and is left out. */
export function customFields(
  { fields }: IssueRecord,
  { fields: known, pointFields }: Names,
): { field: FieldRecord; text: string }[] {
  return Object.keys(fields)
    .flatMap((id) => {
      const field = known.get(id);
      if (!field?.custom || field.name === "" || pointFields.includes(id)) return [];
      if (HIDDEN_TYPES.test(field.schema?.custom ?? "")) return [];
      const text = valueText(fields[id], field);
      return text === null ? [] : [{ field, text }];
    })
    .toSorted((one, other) => (one.field.name < other.field.name ? -1 : 1));
}

/** The text of an issue that a search finds: description and field values. */
export function wordsOfIssue(issue: IssueRecord, names: Names): string {
  const files = issue.fields.attachment.map(({ filename }) => filename);
  const fields = issueFields(issue, names, []).map(({ value }) => value);
  return [adfToText(issue.fields.description), ...fields, ...files].join("\n");
}
