import type { BothViews } from "./compare-parts.ts";
import { diffValue } from "./compare-record.ts";
import type { EntryDifference } from "./compare-records.ts";
import { wholeText } from "./diff-text.ts";
import { MOST_COMMENTS } from "./limits.ts";
import { diffValues } from "./part-values.ts";
import type { PartComparison } from "./views.ts";

/** Compares one part field by field and comment by comment; null when neither version has it. */
export async function comparePart(
  views: BothViews,
  { partId, entries }: { partId: string; entries: readonly EntryDifference[] },
): Promise<PartComparison | null> {
  const [old, young] = [
    (await views.before?.part(partId)) ?? null,
    (await views.after?.part(partId)) ?? null,
  ];
  const either = young ?? old;
  if (either === null) return null;
  const notes = entries.filter(
    ({ role }) => (role.role === "comment" || role.role === "note") && role.partId === partId,
  );
  const comments: PartComparison["comments"] = [];
  for (const note of notes.slice(0, MOST_COMMENTS)) {
    const compared = await compareComment(views, note);
    if (compared !== null) comments.push(compared);
  }
  return {
    partId,
    key: either.key,
    title: either.title,
    fields: diffValues(old?.values ?? [], young?.values ?? []),
    comments,
    areCommentsCut: notes.length > MOST_COMMENTS,
  };
}

/** Returns null for a note that is an event, not a comment. */
async function compareComment(
  { before, after }: BothViews,
  { path, change }: EntryDifference,
): Promise<PartComparison["comments"][number] | null> {
  const old = change === "added" ? null : ((await before?.comment(path)) ?? null);
  const young = change === "removed" ? null : ((await after?.comment(path)) ?? null);
  const note = young ?? old;
  if (note === null) return null;
  const { before: was, after: is, text } = diffValue("", old?.text ?? null, young?.text ?? null);
  const isOne = old === null || young === null;
  return {
    path,
    change,
    author: note.author,
    at: note.at,
    before: was,
    after: is,
    text: isOne ? wholeText(note.text, old === null ? "added" : "removed") : text,
  };
}
