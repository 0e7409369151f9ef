import type { OpenViews, View, ViewKind, ViewOf } from "#connectors/contract/view.ts";
import { AppError } from "#core/kernel/app-error.ts";
import type { OpenVersion } from "./open-for-reading.ts";
import { readable } from "./readable-or-told.ts";
import type { ViewList, ViewRow } from "./views.ts";

/** What is needed to open a view. */
export type Viewed = Pick<OpenVersion, "connector" | "view">;

/** The views of a version, the main one first; empty when its platform defines none. */
export async function viewsOf({ connector, view }: Viewed): Promise<readonly View[]> {
  return (await connector.views?.(view)) ?? [];
}

/** Lists the views of a version without opening any. @throws AppError `err.version.unreadable` */
export async function listViews(open: Viewed): Promise<ViewList> {
  return { views: (await readable(() => viewsOf(open))).map(toViewRow) };
}

/** Converts a view to a row for pages. */
export function toViewRow({ kind, id, label, count }: View): ViewRow {
  return { kind, id, label, ...(count !== undefined && { count }) };
}

/**
 * Opens a view and reads from it. @param id Null = the first view of the kind.
 *
 * @throws AppError `err.not.found` when the version has no such view, `err.version.unreadable`
 */
export async function readView<K extends ViewKind, T>(
  open: Viewed,
  { kind, id }: { kind: K; id: string | null },
  read: (content: OpenViews[K], view: ViewRow) => Promise<T>,
): Promise<T> {
  return await readable(async () => {
    const found = viewOf(await viewsOf(open), kind, id);
    if (!found) throw new AppError("err.not.found");
    return await read(await found.open(), { kind, id: found.id, label: found.label });
  });
}

function viewOf<K extends ViewKind>(
  views: readonly View[],
  kind: K,
  id: string | null,
): ViewOf<K> | undefined {
  // The kind of a view determines its type; TypeScript cannot follow that through the union.
  return views.find((view) => view.kind === kind && (id === null || view.id === id)) as ViewOf<K> | undefined;
}
