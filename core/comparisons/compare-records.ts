import type { EntryRole } from "#connectors/contract/entry-role.ts";
import {
  diffManifests,
  type EntryFacts,
  type ManifestDifference,
  type ManifestReader,
} from "#core/vault/index.ts";
import { MOST_DIFFERENCES, ROWS_PER_KIND } from "./limits.ts";
import type { KindDifference, RecordDifference } from "./views.ts";

type Words = Readonly<Record<string, { one: string; many: string }>>;

/** A view whose entries are reported by the view and not by kind. */
export type EntryView = {
  id: string;
  roleOf(entry: { path: string; kind: string }): EntryRole | null;
};

/** An entry that differs and belongs to a view. */
export type EntryDifference = {
  role: EntryRole;
  path: string;
  title: string;
  change: RecordDifference["change"];
};

/**
 * Records that were added, changed or removed, by kind. An entry shown in a view is reported by the first view that
 * shows it, not by kind. Content that both versions share is not fetched, so the cost depends on the changes and not on
 * the versions.
 */
export async function compareRecords(
  before: ManifestReader,
  after: ManifestReader,
  words: Words,
  views: readonly EntryView[] = [],
): Promise<{ kinds: KindDifference[]; byView: Map<string, EntryDifference[]>; isCut: boolean }> {
  const kinds = new Map<string, KindDifference>();
  for (const [kind, { one, many }] of Object.entries(words))
    kinds.set(kind, { kind, one, many, added: 0, changed: 0, removed: 0, rows: [] });
  const byView = new Map(views.map(({ id }) => [id, [] as EntryDifference[]]));
  let seen = 0;
  let isCut = false;
  for await (const difference of diffManifests(before, after)) {
    seen += 1;
    if (seen > MOST_DIFFERENCES) {
      isCut = true;
      break;
    }
    const entry = (difference.after ?? difference.before)!;
    const change = changeOf(difference);
    const shown = findRole(views, entry);
    if (shown !== null) {
      const { path, title = "" } = entry;
      byView.get(shown.viewId)?.push({ role: shown.role, path, title, change });
      continue;
    }
    const found = kinds.get(entry.kind);
    if (!found) continue;
    found[change] += 1;
    if (found.rows.length < ROWS_PER_KIND) found.rows.push(toRow(entry, change));
  }
  return { kinds: [...kinds.values()].filter(({ rows }) => rows.length > 0), byView, isCut };
}

function findRole(
  views: readonly EntryView[],
  entry: EntryFacts,
): { viewId: string; role: EntryRole } | null {
  for (const { id, roleOf } of views) {
    const role = roleOf(entry);
    if (role !== null) return { viewId: id, role };
  }
  return null;
}

function changeOf({ before, after }: ManifestDifference): RecordDifference["change"] {
  if (!before) return "added";
  return after ? "changed" : "removed";
}

function toRow(
  { path, kind, title, type }: EntryFacts,
  change: RecordDifference["change"],
): RecordDifference {
  return { path, kind, title: title?.trim() || path, change, type };
}
