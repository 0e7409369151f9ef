import type { FileTree } from "#connectors/contract/file-tree.ts";
import { partPathOf } from "#connectors/contract/part-path.ts";
import type { View, ViewKind, ViewOf } from "#connectors/contract/view.ts";
import {
  type OpenVersion,
  openForReading,
  readable,
  restorableParts,
  viewsOf,
} from "#core/browsing/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import type { Member } from "#core/organisations/index.ts";
import type { AccessServices, VaultServices } from "#core/services.ts";
import { compareColumns } from "./compare-columns.ts";
import { compareFile } from "./compare-file.ts";
import { comparePart } from "./compare-part.ts";
import { compareParts } from "./compare-parts.ts";
import { compareRecord } from "./compare-record.ts";
import { compareRecords, type EntryDifference, type EntryView } from "./compare-records.ts";
import { compareTips, compareTree, refsOf } from "./compare-trees.ts";
import { openParts, type PartsView } from "./parts-view.ts";
import type {
  Comparison,
  FileComparison,
  PartComparison,
  RecordComparison,
  TipComparison,
  ViewDifference,
} from "./views.ts";

/** Two versions of one item, the older one first. */
export type ComparisonOrder = { itemId: string; beforeId: string; afterId: string };

type Both = { before: OpenVersion; after: OpenVersion };

/**
 * Compares two versions of an item: view by view, and by kind for records that no view shows. Names what can be restored
 * by itself from the older one.
 *
 * @throws AppError `err.not.found`, `err.role.forbidden`, `err.plan.required`, `err.snapshot.not.restorable`
 */
export async function compareVersions(
  s: AccessServices & VaultServices,
  member: Member,
  order: ComparisonOrder,
): Promise<Comparison> {
  const { before, after } = await openBoth(s, member, order);
  const facts = ({ snapshot }: OpenVersion) => ({
    snapshotId: snapshot.id,
    takenAt: snapshot.takenAt,
    sizeBytes: snapshot.sizeBytes,
  });
  return await readable(async () => {
    const pairs = await pairsOf({ before, after });
    const words = after.connector.entryKinds;
    const { kinds, byView, isCut } = await compareRecords(
      before.view.entries,
      after.view.entries,
      words,
      entryViews(pairs),
    );
    const views: ViewDifference[] = [];
    const cloned = before.connector.cloneRoots ? pairs.find((pair) => pair.before?.kind === "files") : null;
    for (const pair of pairs) {
      const found = await compareView(pair, byView.get(pair.id) ?? [], pair === cloned);
      if (found !== null) views.push(found);
    }
    const sets = kinds.map(({ kind }) => partPathOf({ type: "all", kind }));
    const parts = await restorableParts(before, [...pathsInOlder(views), ...sets]);
    return { before: facts(before), after: facts(after), views, kinds, parts, isCut };
  });
}

/** The entries of listed columns and parts that the older version has. */
function pathsInOlder(views: readonly ViewDifference[]): string[] {
  const rows = views.flatMap((view) => {
    if (view.kind === "files") return [];
    return view.kind === "board" ? [...view.columns.rows, ...view.parts.rows] : view.parts.rows;
  });
  return rows.flatMap(({ change, path }) => (change === "added" ? [] : [path]));
}

/** How one record differs, field by field. @throws AppError as `compareVersions` */
export async function compareRecordOf(
  s: AccessServices & VaultServices,
  member: Member,
  order: ComparisonOrder & { path: string },
): Promise<RecordComparison> {
  const { before, after } = await openBoth(s, member, order);
  const words = after.connector.entryKinds;
  return readable(() => compareRecord(before.view, after.view, { path: order.path, words }));
}

/** Compares one part of a view: a card, thread, page or row. @throws AppError as `compareVersions` */
export async function comparePartOf(
  s: AccessServices & VaultServices,
  member: Member,
  order: ComparisonOrder & { viewId: string; partId: string },
): Promise<PartComparison> {
  const { before, after } = await openBoth(s, member, order);
  return await readable(async () => {
    const pairs = await pairsOf({ before, after });
    const pair = pairs.find(({ id }) => id === order.viewId);
    if (!pair?.parts) throw new AppError("err.not.found");
    const { byView } = await compareRecords(before.view.entries, after.view.entries, {}, entryViews(pairs));
    const entries = byView.get(pair.id) ?? [];
    const compared = await comparePart(pair.parts, { partId: order.partId, entries });
    if (compared === null) throw new AppError("err.not.found");
    return compared;
  });
}

/** A view of both versions; one version may not have it. */
type Pair = {
  id: string;
  before: View | null;
  after: View | null;
  /** Null = the view has no parts. */
  parts: { before: PartsView | null; after: PartsView | null } | null;
};

/** The views of the newer version in order, then those that only the older version has. */
async function pairsOf({ before, after }: Both): Promise<Pair[]> {
  const [old, young] = [await viewsOf(before), await viewsOf(after)];
  const pairs: Pair[] = [];
  for (const { id, kind } of [...young, ...old]) {
    if (pairs.some((pair) => pair.id === id)) continue;
    const inList = (views: readonly View[]) =>
      views.find((view) => view.id === id && view.kind === kind) ?? null;
    const pair = { id, before: inList(old), after: inList(young) };
    const parts =
      kind === "files" ? null : { before: await partsOf(pair.before), after: await partsOf(pair.after) };
    pairs.push({ ...pair, parts });
  }
  return pairs;
}

async function partsOf(view: View | null): Promise<PartsView | null> {
  return view === null || view.kind === "files" ? null : await openParts(view);
}

function entryViews(pairs: readonly Pair[]): EntryView[] {
  return pairs.flatMap(({ id, parts }) => {
    const view = parts?.after ?? parts?.before;
    return view ? [{ id, roleOf: view.roleOf }] : [];
  });
}

/** Compares one view; null = no differences. */
async function compareView(
  { id, before, after, parts }: Pair,
  entries: readonly EntryDifference[],
  isCloned: boolean,
): Promise<ViewDifference | null> {
  const { kind, label } = (after ?? before)!;
  if (kind === "files") {
    const [old, young] = [await openAs(kind, before), await openAs(kind, after)];
    const tree = await compareTree(old, young);
    return tree.refs.length === 0 ? null : { id, label, kind, tree, isCloned };
  }
  if (entries.length === 0 || parts === null) return null;
  const differences = await compareParts(parts, entries);
  if (kind !== "board") return { id, label, kind, parts: differences };
  const boards = { before: await openAs(kind, before), after: await openAs(kind, after) };
  const { words } = (boards.after ?? boards.before)!;
  return { id, label, kind, words, columns: await compareColumns(boards, entries), parts: differences };
}

/** The view's content; null = the version does not have the view. */
async function openAs<K extends ViewKind>(kind: K, view: View | null) {
  return view?.kind === kind ? await (view as ViewOf<K>).open() : null;
}

/** A branch or tag of one of the trees; `tree` is the id of its view. */
export type RefOrder = ComparisonOrder & { tree: string; ref: string };

/** How a branch differs: its commits and its files. @throws AppError as `compareVersions` */
export async function compareRefOf(
  s: AccessServices & VaultServices,
  member: Member,
  order: RefOrder,
): Promise<TipComparison> {
  const [before, after] = await treeOf(s, member, order);
  const compared = await readable(() => compareTips(before, after, order.ref));
  if (compared === null) throw new AppError("err.not.found");
  return compared;
}

/** How one file of a branch differs, line by line. @throws AppError as `compareVersions` */
export async function compareFileOf(
  s: AccessServices & VaultServices,
  member: Member,
  order: RefOrder & { path: string },
): Promise<FileComparison> {
  const [before, after] = await treeOf(s, member, order);
  const [left, right] = refsOf(before, after, order.ref);
  if (left === null || right === null) throw new AppError("err.not.found");
  const compared = await readable(() =>
    compareFile({ tree: before, id: left.id }, { tree: after, id: right.id }, order.path),
  );
  if (compared === null) throw new AppError("err.not.found");
  return compared;
}

/** The tree of a view in both versions. @throws AppError `err.not.found`, `err.version.unreadable` */
async function treeOf(
  s: AccessServices & VaultServices,
  member: Member,
  order: RefOrder,
): Promise<[FileTree, FileTree]> {
  const both = await openBoth(s, member, order);
  const treeIn = async (open: OpenVersion) =>
    await openAs("files", (await viewsOf(open)).find(({ id }) => id === order.tree) ?? null);
  const [before, after] = await readable(async () => [await treeIn(both.before), await treeIn(both.after)]);
  if (!before || !after) throw new AppError("err.not.found");
  const obstacle = before.obstacle ?? after.obstacle;
  if (obstacle !== null) throw new AppError("err.version.unreadable", { message: obstacle });
  return [before, after];
}

async function openBoth(
  s: AccessServices & VaultServices,
  member: Member,
  order: ComparisonOrder,
): Promise<Both> {
  const open = (snapshotId: string) => openForReading(s, member, { itemId: order.itemId, snapshotId });
  const [before, after] = await Promise.all([open(order.beforeId), open(order.afterId)]);
  return before.snapshot.takenAt <= after.snapshot.takenAt
    ? { before, after }
    : { before: after, after: before };
}
