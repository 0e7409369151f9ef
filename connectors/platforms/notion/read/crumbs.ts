import type { PageCrumb } from "#connectors/contract/pages-view.ts";
import type { EntryInfo, SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { recordPaths } from "../record-paths.ts";
import { homeOfPath, sourceIdOfPath } from "./homes.ts";
import { findSource, listedTitle, titleOfSource } from "./titles.ts";

/** A longer way up is a circle. */
const DEEPEST = 100;

/** The pages and tables above an entry, from the root down. */
export async function crumbsAbove(snapshot: SnapshotView, entry: EntryInfo): Promise<PageCrumb[]> {
  const crumbs: PageCrumb[] = [];
  let above = await entryAbove(snapshot, entry);
  for (let steps = 0; above !== null && steps < DEEPEST; steps += 1) {
    const crumb = await crumbOf(snapshot, above);
    if (crumb !== null) crumbs.unshift(crumb);
    above = await entryAbove(snapshot, above);
  }
  return crumbs;
}

/** The entry above another one; null = it is at the top, or what is above is not in the version. */
export async function entryAbove(snapshot: SnapshotView, entry: EntryInfo): Promise<EntryInfo | null> {
  const sourceId = homeOfPath(entry.path)?.home.sourceId ?? null;
  const above = sourceId === null ? entry.parent : recordPaths.source(sourceId);
  return above === undefined ? null : await snapshot.find(above);
}

/** A database is no crumb: its data sources stand for it. */
async function crumbOf(snapshot: SnapshotView, entry: EntryInfo): Promise<PageCrumb | null> {
  const found = homeOfPath(entry.path);
  if (found !== null) return { id: found.home.id, type: "page", title: await listedTitle(snapshot, entry) };
  const id = sourceIdOfPath(entry.path);
  const source = id === null ? null : await findSource(snapshot, id);
  return source === null ? null : { id: source.id, type: "table", title: titleOfSource(source) };
}
