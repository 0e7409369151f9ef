import { momentText } from "#connectors/toolkit/records/quote.ts";
import type { Adf, CommentRecord, IssueRecord, Person, WorklogRecord } from "../record-types.ts";
import { type AdfNode, docOf, mapNodes, paragraph, textOf } from "./adf-nodes.ts";

/** Jira refuses texts of more than 32,767 characters. How it counts paragraphs is unknown, so a little is kept free. */
const LONGEST_TEXT = 32_000;

/** A mention would write to the person, so it becomes their name. @returns the document and whether it had any */
export function quietMentions(doc: Adf): { doc: Adf; isQuieted: boolean } {
  let isQuieted = false;
  const quiet = mapNodes(doc, (node): AdfNode[] => {
    if (node.type !== "mention") return [node];
    isQuieted = true;
    const text =
      typeof node.attrs?.text === "string" && node.attrs.text !== "" ? node.attrs.text : "@somebody";
    return [{ type: "text", text }];
  });
  return { doc: isQuieted ? quiet : doc, isQuieted };
}

/** What a restored issue cannot have itself, so that its description names it. */
export type Untold = {
  /** Names of the closed sprints that it was in. */
  sprints: readonly string[];
  /** The status that it had; null = it has the same. */
  status: string | null;
};

/**
 * The description of a restored issue: a panel that tells where it comes from, then the original. The panel is left out
 * if the text would be too long for Jira.
 */
export function describedIssue(
  { key, fields }: IssueRecord,
  description: Adf | null,
  { sprints, status }: Untold,
): Adf {
  const created = [
    "Restored from ",
    { bold: key },
    `, created by ${nameOf(fields.creator ?? fields.reporter)}${on(fields.created)}`,
  ] as const;
  const changed = fields.updated === null ? "" : `; last changed${on(fields.updated)}`;
  // A target sets the resolution that its workflow knows, and the day of the restore.
  const resolved =
    fields.resolution === null ? "" : `; resolved as ${fields.resolution.name}${on(fields.resolutiondate)}`;
  const lines = [paragraph(...created, changed, resolved, ".")];
  if (status !== null) lines.push(paragraph(`Status: ${status}.`));
  if (sprints.length > 0) lines.push(paragraph(`Closed sprints: ${sprints.join(", ")}.`));
  const panel: AdfNode = { type: "panel", attrs: { panelType: "info" }, content: lines };
  const blocks = (description?.content ?? []) as AdfNode[];
  const whole = docOf([panel, ...blocks]);
  return description !== null && textOf(whole).length > LONGEST_TEXT ? description : whole;
}

/**
 * A comment below a line with its author and time, because Jira shows the connected account. The line is left out if the
 * comment would be too long for Jira.
 */
export function quotedComment({ author, created, updated }: CommentRecord, body: Adf | null): Adf {
  const edited = updated !== null && updated !== created ? `, edited${on(updated)}` : "";
  return withLine(paragraph({ bold: nameOf(author) }, ` wrote this${on(created)}${edited}.`), body);
}

/** The text of a worklog, below a line with its author. Its start is kept by Jira. */
export function quotedWorklog({ author }: WorklogRecord, comment: Adf | null): Adf {
  return withLine(paragraph("Logged by ", { bold: nameOf(author) }, "."), comment);
}

function withLine(line: AdfNode, doc: Adf | null): Adf {
  const whole = docOf([line, ...((doc?.content ?? []) as AdfNode[])]);
  return doc !== null && textOf(whole).length > LONGEST_TEXT ? doc : whole;
}

/** A label for a closed sprint, which cannot be filled again. Labels have no spaces and at most 255 characters. */
export function sprintLabel(name: string): string {
  return `sprint-${name.trim().replace(/\s+/g, "-")}`.slice(0, 255);
}

function nameOf(person: Person | null): string {
  return person === null ? "somebody whose account is gone" : person.displayName || person.accountId;
}

function on(time: string | null): string {
  return time === null ? "" : ` on ${momentText(time)}`;
}
