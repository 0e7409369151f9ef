import type { EventTopic } from "#connectors/contract/note.ts";
import { cutText } from "#connectors/toolkit/records/cut-text.ts";
import type { ChangeRecord } from "../record-types.ts";
import type { Names } from "./names.ts";
import { durationText, momentText } from "./value-text.ts";

type Item = ChangeRecord["items"][number];

/** Longer values are cut: a sentence is one line of the history. */
const LONGEST_VALUE = 120;
const LONG_TEXTS: ReadonlySet<string> = new Set(["description", "environment", "comment"]);
const DURATION = /^time(estimate|originalestimate|spent)$/;
/** Names that Jira's history uses for fields which people know by others. */
const KNOWN: Readonly<Record<string, string>> = {
  duedate: "due date",
  timeestimate: "remaining estimate",
  timeoriginalestimate: "original estimate",
  timespent: "time spent",
  issuetype: "type",
  IssueParentAssociation: "parent",
  "Fix Version": "fix version",
  Version: "affected version",
  Component: "component",
  Key: "key",
};

/**
 * An entry of the history as a sentence whose subject is its author: "changed status from To Do to Done".
 */
export function changeSentence({ items }: ChangeRecord, names: Names): string {
  const sentences = items.map((item) => itemSentence(item, names));
  return [...new Set(sentences)].join("; ") || "changed this issue";
}

/** What an entry of the history is about, by its first item. */
export function changeTopic({ items }: ChangeRecord): EventTopic | undefined {
  const { field = "", fieldId = null } = items[0] ?? {};
  return TOPICS.find(([words]) => words.test(fieldId ?? field) || words.test(field))?.[1];
}

const TOPICS: readonly [RegExp, EventTopic][] = [
  [/^labels$/i, "label"],
  [/^(assignee|reporter)$/i, "person"],
  [/^(status|resolution)$/i, "state"],
  [/link|parent|^epic/i, "link"],
  [/^(summary|description|environment|comment)$/i, "text"],
  [/date/i, "date"],
  [/^attachment$/i, "file"],
  [/^(sprint|rank|project|key)$/i, "move"],
];

function itemSentence(item: Item, names: Names): string {
  const [from, to] = [textOf(item, "from"), textOf(item, "to")];
  switch (item.field) {
    case "Attachment":
      return to === null ? `removed the file ${from ?? ""}`.trim() : `attached ${to}`;
    case "Link":
    case "RemoteIssueLink":
      return to === null ? `removed a link: ${from ?? "unnamed"}` : `added a link: ${to}`;
    case "Rank":
      return /lower/i.test(to ?? "") ? "ranked this issue lower" : "ranked this issue higher";
    case "Comment":
      return to === null ? "deleted a comment" : "changed a comment";
    case "assignee":
      return to === null ? "removed the assignee" : `assigned this issue to ${to}`;
    case "summary":
      return `renamed this issue from ${from ?? "nothing"}`;
    case "labels":
      return labelSentence(from, to);
    default:
      return fieldSentence(nameOf(item, names), { from, to, isLong: LONG_TEXTS.has(item.field) });
  }
}

function fieldSentence(
  name: string,
  { from, to, isLong }: { from: string | null; to: string | null; isLong: boolean },
): string {
  if (isLong && from !== null && to !== null) return `changed ${name}`;
  if (to === null) return isLong || from === null ? `cleared ${name}` : `cleared ${name} (was ${from})`;
  if (isLong) return `added ${name}`;
  return from === null ? `set ${name} to ${to}` : `changed ${name} from ${from} to ${to}`;
}

/** Labels are lists of words. */
function labelSentence(from: string | null, to: string | null): string {
  const [old, young] = [wordsOf(from), wordsOf(to)];
  const added = young.filter((label) => !old.includes(label));
  const removed = old.filter((label) => !young.includes(label));
  const phrases = [...phraseOf("added", added), ...phraseOf("removed", removed)];
  return phrases.join(" and ") || "changed the labels";
}

const wordsOf = (text: string | null): string[] => (text ?? "").split(/\s+/).filter((word) => word !== "");
const phraseOf = (verb: string, labels: readonly string[]): string[] =>
  labels.length === 0 ? [] : [`${verb} the ${labels.length === 1 ? "label" : "labels"} ${labels.join(", ")}`];

/** The field's own name; ids of fields are never shown. */
function nameOf({ field, fieldId }: Item, { fields }: Names): string {
  const known = KNOWN[field] ?? fields.get(fieldId ?? "")?.name ?? fields.get(field)?.name;
  const name = known || (field.startsWith("customfield_") ? "a field" : field);
  return name === "Status" ? "status" : name;
}

/** A value before or after. Jira has names in the `…String` members; only plain values have none. */
function textOf(item: Item, side: "from" | "to"): string | null {
  const words = side === "from" ? item.fromString : item.toString;
  const raw = side === "from" ? item.from : item.to;
  if (DURATION.test(item.field)) {
    const seconds = Number(words ?? raw ?? Number.NaN);
    return (words ?? raw) !== null && Number.isFinite(seconds) ? durationText(seconds) : words;
  }
  if (words === null || words.trim() === "") return null;
  return cutText(momentText(words).replace(/\s+/g, " ").trim(), LONGEST_VALUE);
}
