import type { EntryRole } from "#connectors/contract/entry-role.ts";
import type { EntryDifference } from "./compare-records.ts";
import { MOST_COMMENTS, ROWS_PER_KIND } from "./limits.ts";
import { diffValues } from "./part-values.ts";
import type { ComparedPart, PartsView } from "./parts-view.ts";
import type { Differences, PartChange, PartDifference } from "./views.ts";

type Change = PartDifference["change"];
/** The same view of both versions; null = a version does not have it. */
export type BothViews = { before: PartsView | null; after: PartsView | null };

/** Removed parts come first: they are what people look for. */
const ORDER: readonly Change[] = ["removed", "changed", "added"];

/**
 * Compares the parts of a view: added, removed, moved or edited. Reads only parts that differ, and of those only as
 * many as are shown.
 */
export async function compareParts(
  views: BothViews,
  entries: readonly EntryDifference[],
): Promise<Differences<PartDifference>> {
  const parts = [...gatherParts(entries).values()];
  const rows: PartDifference[] = [];
  for (const change of ORDER) {
    for (const part of parts.filter((each) => each.change === change).slice(0, ROWS_PER_KIND))
      rows.push(await partRow(views, part));
  }
  return { ...tally(parts), rows };
}

/** Counts added, changed and removed rows. */
export function tally(rows: readonly { change: Change }[]): Record<Change, number> {
  const count = (change: Change) => rows.filter((row) => row.change === change).length;
  return { added: count("added"), changed: count("changed"), removed: count("removed") };
}

/** What was found about one part: its own entry, and the entries that belong to it. */
type FoundPart = {
  id: string;
  path: string;
  title: string;
  change: Change;
  comments: Record<Change, number>;
  hasEvents: boolean;
  /** Comments and events: only reading them shows which is which. */
  notes: { path: string; change: Change }[];
};

function gatherParts(entries: readonly EntryDifference[]): Map<string, FoundPart> {
  const parts = new Map<string, FoundPart>();
  const open = (id: string): FoundPart => {
    const comments = { added: 0, changed: 0, removed: 0 };
    // A part is in both versions unless its own entry differs.
    const fresh: FoundPart = {
      id,
      path: "",
      title: "",
      change: "changed",
      comments,
      hasEvents: false,
      notes: [],
    };
    const found = parts.get(id) ?? fresh;
    parts.set(id, found);
    return found;
  };
  for (const { role, path, title, change } of entries) {
    if (role.role === "part") Object.assign(open(role.id), { path, title, change });
    else if (role.role !== "column") gatherBelow(open(role.partId), role.role, { path, change });
  }
  return parts;
}

function gatherBelow(
  part: FoundPart,
  role: Exclude<EntryRole["role"], "part" | "column">,
  { path, change }: { path: string; change: Change },
): void {
  if (role === "event") part.hasEvents = true;
  else if (role === "note" && part.notes.length < MOST_COMMENTS) part.notes.push({ path, change });
  else if (role !== "file" && role !== "value") part.comments[change] += 1;
}

async function partRow(views: BothViews, found: FoundPart): Promise<PartDifference> {
  const { id: partId, change } = found;
  const old = change === "added" ? null : await partOf(views.before, partId);
  const young = change === "removed" ? null : await partOf(views.after, partId);
  const known = young ?? old;
  return {
    partId,
    path: known?.path ?? found.path,
    key: known?.key ?? null,
    title: known?.title ?? found.title,
    change,
    place: known?.place?.title ?? null,
    what: old && young ? await changesOf(views, found, { old, young }) : [],
  };
}

async function partOf(view: PartsView | null, id: string): Promise<ComparedPart | null> {
  return (await view?.part(id)) ?? null;
}

async function changesOf(
  views: BothViews,
  found: FoundPart,
  { old, young }: { old: ComparedPart; young: ComparedPart },
): Promise<PartChange[]> {
  const what: PartChange[] = [];
  if (old.place?.id !== young.place?.id)
    what.push({ type: "moved", from: old.place?.title ?? "", to: young.place?.title ?? "" });
  else if (old.rank !== young.rank) what.push({ type: "reordered" });
  if (!old.isArchived && young.isArchived) what.push({ type: "archived" });
  if (old.isArchived && !young.isArchived) what.push({ type: "returned" });
  what.push(...fieldChanges(old, young));
  const { comments, hasEvents } = await readNotes(views, found);
  if (Object.values(comments).some((count) => count > 0)) what.push({ type: "comments", ...comments });
  if (what.length === 0) what.push({ type: hasEvents ? "events" : "other" });
  return what;
}

/** Reports changes of position separately from changes of content. */
function fieldChanges(old: ComparedPart, young: ComparedPart): PartChange[] {
  return diffValues(old.values, young.values).flatMap(({ field, name }): PartChange[] => {
    if (field === null) return [{ type: "own", name }];
    return field === "column" || field === "archived" || field === "place" ? [] : [{ type: "field", field }];
  });
}

/** Reads notes to separate comments from events where their entries do not. */
async function readNotes(
  { before, after }: BothViews,
  { comments, hasEvents, notes }: FoundPart,
): Promise<Pick<FoundPart, "comments" | "hasEvents">> {
  const counted = { comments: { ...comments }, hasEvents };
  for (const { path, change } of notes) {
    const view = change === "removed" ? before : after;
    if ((await view?.comment(path)) != null) counted.comments[change] += 1;
    else counted.hasEvents = true;
  }
  return counted;
}
