import { adfToText } from "./adf-text.ts";
import { customFields, pointsOf, sprintsOf } from "./issue-facts.ts";
import type { IssueFolder } from "./issue-folders.ts";
import type { Names } from "./names.ts";
import { durationText } from "./value-text.ts";

/** Columns of `issues.csv` before those of the project's own fields. */
const ISSUE_COLUMNS = [
  ...[
    "Key",
    "Type",
    "Summary",
    "Status",
    "Priority",
    "Resolution",
    "Assignee",
    "Reporter",
    "Created",
    "Updated",
  ],
  ...[
    "Resolved",
    "Due",
    "Parent",
    "Sprints",
    "Points",
    "Labels",
    "Components",
    "Fix versions",
    "Affects versions",
  ],
  ...["Links", "Security level", "Time spent", "Comments", "Attachments", "Description"],
];
export const COMMENT_COLUMNS = ["Key", "Issue", "Author", "Written", "Visible to", "Comment"];

/** Columns of own fields, in the order in which issues have them first. */
export type OwnColumns = Map<string, { name: string }>;

/** Column names, with those of own fields that were found. */
export function issueColumns(own: OwnColumns): string[] {
  return [...ISSUE_COLUMNS, ...[...own.values()].map(({ name }) => name)];
}

/** The line of an issue. Adds a column for each own field that no earlier issue had. */
export function issueRow(
  { issue, comments }: IssueFolder,
  { names, files, own }: { names: Names; files: readonly string[]; own: OwnColumns },
): string[] {
  const { key, fields } = issue;
  const ownValues = new Map<string, string>();
  for (const { field, text } of customFields(issue, names)) {
    own.set(field.id, field);
    ownValues.set(field.id, text);
  }
  const list = (values: readonly { name: string }[]) => values.map(({ name }) => name).join(", ");
  const seconds = fields.timespent;
  return [
    ...[key, fields.issuetype.name, fields.summary, fields.status.name],
    ...[fields.priority?.name ?? "", fields.resolution?.name ?? ""],
    ...[fields.assignee?.displayName ?? "", fields.reporter?.displayName ?? ""],
    ...[fields.created ?? "", fields.updated ?? "", fields.resolutiondate ?? "", fields.duedate ?? ""],
    ...[fields.parent?.key ?? "", list(sprintsOf(issue, names)), String(pointsOf(issue, names) ?? "")],
    ...[fields.labels.join(", "), list(fields.components), list(fields.fixVersions), list(fields.versions)],
    fields.issuelinks
      .map(({ type, inwardIssue, outwardIssue }) =>
        outwardIssue
          ? `${type.outward ?? type.name} ${outwardIssue.key}`
          : `${type.inward ?? type.name} ${inwardIssue?.key ?? ""}`,
      )
      .join("\n"),
    fields.security?.name ?? "",
    typeof seconds === "number" ? durationText(seconds) : "",
    ...[String(comments.length), files.join("\n"), adfToText(fields.description)],
    ...[...own.keys()].map((id) => ownValues.get(id) ?? ""),
  ];
}

/** The lines of an issue's comments. */
export function commentRows({ issue, comments }: IssueFolder): string[][] {
  return comments.map(({ author, created, visibility, jsdPublic, body }) => [
    ...[issue.key, issue.fields.summary, author?.displayName ?? "", created ?? ""],
    visibility?.value ?? (jsdPublic === false ? "the team only" : ""),
    adfToText(body),
  ]);
}
