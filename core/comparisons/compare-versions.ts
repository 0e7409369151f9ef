import type { BoardView } from "#connectors/contract/board-view.ts";
import type { FileTree } from "#connectors/contract/file-tree.ts";
import { type OpenVersion, openForReading, openTrees, readable } from "#core/browsing/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import type { Member } from "#core/organisations/index.ts";
import type { CoreServices } from "#core/services.ts";
import { compareBoards } from "./compare-boards.ts";
import { compareCard } from "./compare-card.ts";
import { compareFile } from "./compare-file.ts";
import { compareRecord } from "./compare-record.ts";
import { compareRecords } from "./compare-records.ts";
import { compareTips, compareTree, refsOf } from "./compare-trees.ts";
import type { CardComparison, Comparison, FileComparison, RecordComparison, TipComparison } from "./views.ts";

/** Two versions of one item, the older one first. */
export type ComparisonOrder = { itemId: string; beforeId: string; afterId: string };

type Both = { before: OpenVersion; after: OpenVersion };

/**
 * Compares two versions of an item: the board, records by kind, branches and tags, and lost history.
 *
 * @throws AppError `err.not.found`, `err.role.forbidden`, `err.plan.required`, `err.snapshot.not.restorable`
 */
export async function compareVersions(
  s: CoreServices,
  member: Member,
  order: ComparisonOrder,
): Promise<Comparison> {
  const { before, after } = await openBoth(s, member, order);
  const words = after.connector.entryKinds;
  const [oldBoard, youngBoard] = [boardOf(before), boardOf(after)];
  const { kinds, parts, isCut } = await readable(() =>
    compareRecords(before.view.entries, after.view.entries, words, youngBoard),
  );
  const board =
    oldBoard && youngBoard ? await readable(() => compareBoards(oldBoard, youngBoard, parts)) : null;
  const trees: Comparison["trees"] = [];
  const [old, young] = await treesOf({ before, after });
  for (const name of new Set([...young, ...old].map((tree) => tree.name))) {
    const pair = [old, young].map((list) => list.find((tree) => tree.name === name) ?? null);
    trees.push(await readable(() => compareTree(pair[0] ?? null, pair[1] ?? null)));
  }
  const facts = ({ snapshot }: OpenVersion) => ({
    snapshotId: snapshot.id,
    takenAt: snapshot.takenAt,
    sizeBytes: snapshot.sizeBytes,
  });
  return {
    before: facts(before),
    after: facts(after),
    board,
    kinds,
    trees: trees.filter(({ refs }) => refs.length > 0),
    isCut,
  };
}

/** How one record differs, field by field. @throws AppError as `compareVersions` */
export async function compareRecordOf(
  s: CoreServices,
  member: Member,
  order: ComparisonOrder & { path: string },
): Promise<RecordComparison> {
  const { before, after } = await openBoth(s, member, order);
  const words = after.connector.entryKinds;
  return readable(() => compareRecord(before.view, after.view, { path: order.path, words }));
}

/** How one card of a board differs. @throws AppError as `compareVersions` */
export async function compareCardOf(
  s: CoreServices,
  member: Member,
  order: ComparisonOrder & { cardId: string },
): Promise<CardComparison> {
  const { before, after } = await openBoth(s, member, order);
  const [oldBoard, youngBoard] = [boardOf(before), boardOf(after)];
  if (!oldBoard || !youngBoard) throw new AppError("err.not.found");
  return readable(async () => {
    const { parts } = await compareRecords(before.view.entries, after.view.entries, {}, youngBoard);
    const compared = await compareCard(oldBoard, youngBoard, { cardId: order.cardId, parts });
    if (compared === null) throw new AppError("err.not.found");
    return compared;
  });
}

function boardOf({ connector, view }: OpenVersion): BoardView | null {
  return connector.boardView?.(view) ?? null;
}

/** A branch or tag in one of the trees. */
export type RefOrder = ComparisonOrder & { tree: string; ref: string };

/** How a branch differs: its commits and its files. @throws AppError as `compareVersions` */
export async function compareRefOf(s: CoreServices, member: Member, order: RefOrder): Promise<TipComparison> {
  const [before, after] = await treeOf(s, member, order);
  const compared = await readable(() => compareTips(before, after, order.ref));
  if (compared === null) throw new AppError("err.not.found");
  return compared;
}

/** How one file of a branch differs, line by line. @throws AppError as `compareVersions` */
export async function compareFileOf(
  s: CoreServices,
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

/** The tree with that name in both versions. @throws AppError `err.not.found`, `err.version.unreadable` */
async function treeOf(s: CoreServices, member: Member, order: RefOrder): Promise<[FileTree, FileTree]> {
  const [old, young] = await treesOf(await openBoth(s, member, order));
  const [before, after] = [old, young].map((list) => list.find(({ name }) => name === order.tree));
  if (!before || !after) throw new AppError("err.not.found");
  const obstacle = before.obstacle ?? after.obstacle;
  if (obstacle !== null) throw new AppError("err.version.unreadable", { message: obstacle });
  return [before, after];
}

async function openBoth(s: CoreServices, member: Member, order: ComparisonOrder): Promise<Both> {
  const open = (snapshotId: string) => openForReading(s, member, { itemId: order.itemId, snapshotId });
  const [before, after] = [await open(order.beforeId), await open(order.afterId)];
  return before.snapshot.takenAt <= after.snapshot.takenAt
    ? { before, after }
    : { before: after, after: before };
}

async function treesOf({ before, after }: Both): Promise<[FileTree[], FileTree[]]> {
  return readable(async () => [
    await openTrees(before.connector, before.view),
    await openTrees(after.connector, after.view),
  ]);
}
