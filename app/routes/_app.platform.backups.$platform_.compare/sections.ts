import { compareCopy as copy } from "#app/copy/compare.ts";
import { capitalised } from "#app/format/counts.ts";
import type { Comparison, Differences } from "#core/comparisons/views.ts";

/** A part of the page: what differs in one view, or in records of one kind. */
export type Section = { id: string; label: string; count: number };

/** The sections in page order. `id` is unique and safe in a URL. */
export function sectionsOf({ views, kinds }: Pick<Comparison, "views" | "kinds">): Section[] {
  const ofViews = views.flatMap((view): Section[] => {
    const id = viewSection(view.id);
    switch (view.kind) {
      case "files":
        return [{ id, label: view.label, count: view.tree.refCount }];
      case "board":
        return [{ id, label: view.label, count: totalOf(view.columns) + totalOf(view.parts) }];
      default:
        return [{ id, label: view.label, count: totalOf(view.parts) }];
    }
  });
  const ofKinds = kinds.map((kind) => ({
    id: kindSection(kind.kind),
    label: capitalised(kind.many),
    count: totalOf(kind),
  }));
  return [...ofViews, ...ofKinds];
}

export const viewSection = (viewId: string) => `view.${viewId}`;
export const kindSection = (kind: string) => `kind.${kind}`;

/** All differences of a list, listed or not. */
export function totalOf({ added, changed, removed }: Omit<Differences<unknown>, "rows">): number {
  return added + changed + removed;
}

/** The tabs above the sections. A single section needs none. */
export function tabsOf(sections: readonly Section[]): (Omit<Section, "id"> & { id: string | null })[] {
  if (sections.length < 2) return [];
  const count = sections.reduce((sum, section) => sum + section.count, 0);
  return [{ id: null, label: copy.all, count }, ...sections];
}
