import { cutText } from "#connectors/toolkit/records/cut-text.ts";
import type { Entry, Issue } from "../payloads.ts";

const TITLE_LENGTH = 80;

/** `OPS-12 The title`. */
export function issueTitle({ key, fields }: Issue): string {
  return fields.summary === "" ? key : `${key} ${fields.summary}`;
}

/** `Nora Lindqvist: the first line`. */
export function commentTitle(comment: Entry): string {
  return cutText(`${authorOf(comment)}: ${firstLine(comment.body)}`, TITLE_LENGTH);
}

/** `Nora Lindqvist: 2h`. */
export function worklogTitle(worklog: Entry): string {
  return `${authorOf(worklog)}: ${worklog.timeSpent ?? "work"}`;
}

/** `Nora Lindqvist changed status, assignee`. */
export function changeTitle(change: Entry): string {
  const items = Array.isArray(change.items) ? (change.items as { field?: unknown }[]) : [];
  const fields = [...new Set(items.map(({ field }) => String(field ?? "")))].filter((name) => name !== "");
  return cutText(`${authorOf(change)} changed ${fields.join(", ") || "something"}`, TITLE_LENGTH);
}

/** The titles of the entries of an issue's lists, by kind. */
export const listTitles: Readonly<Record<string, (entry: Entry) => string>> = {
  comment: commentTitle,
  worklog: worklogTitle,
  change: changeTitle,
};

function authorOf({ author }: Entry): string {
  const name = (author as { displayName?: unknown } | null | undefined)?.displayName;
  return typeof name === "string" && name !== "" ? name : "Someone";
}

type Node = { text?: unknown; content?: unknown };

/** The text of the first block of a document that has any. */
function firstLine(body: unknown): string {
  for (const block of contentOf(body)) {
    const text = textOf(block).trim();
    if (text !== "") return text;
  }
  return "";
}

function textOf(node: Node): string {
  const own = typeof node.text === "string" ? node.text : "";
  return own + contentOf(node).map(textOf).join("");
}

function contentOf(node: unknown): Node[] {
  const content = (node as Node | null | undefined)?.content;
  return Array.isArray(content) ? content.filter((one) => typeof one === "object" && one !== null) : [];
}
