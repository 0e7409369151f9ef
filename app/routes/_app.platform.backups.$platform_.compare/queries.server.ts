import { partPathOf } from "#connectors/contract/part-path.ts";
import { listHistory } from "#core/backups/index.ts";
import type { HistoryRow } from "#core/backups/views.ts";
import {
  openAhead,
  openBefore,
  openForReading,
  type RestorableParts,
  restorableParts,
} from "#core/browsing/index.ts";
import {
  type Comparison,
  compareFileOf,
  comparePartOf,
  compareRecordOf,
  compareRefOf,
  compareVersions,
  type FileComparison,
  type PartComparison,
  type RecordComparison,
  type TipComparison,
} from "#core/comparisons/index.ts";
import { getItem } from "#core/inventory/index.ts";
import type { RibbonDay } from "#core/inventory/views.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { type Member, mayManage } from "#core/organisations/index.ts";
import type { AccessServices, Uses, VaultServices } from "#core/services.ts";

/** The number of newest versions that can be selected for a comparison. */
const CHOICES = 60;

/** The two versions, and what is open in the comparison. */
export type CompareAddress = {
  itemId: string;
  /** Null = the version before `to`. */
  from: string | null;
  to: string;
  /** Path of the record whose fields are shown. */
  record: string | null;
  /** A part of a view, such as a card or a thread, whose fields are shown. */
  view: string | null;
  part: string | null;
  /** A branch whose commits and files are shown. */
  tree: string | null;
  ref: string | null;
  /** Path of the file in that branch whose lines are shown. */
  file: string | null;
};

/** A version that can be chosen for a comparison. */
export type VersionChoice = Pick<HistoryRow, "sizeBytes" | "verify" | "keptUntil"> & {
  snapshotId: string;
  takenAt: number;
};

/** The data of the page. */
export type ComparePageData = {
  platform: string;
  itemId: string;
  itemName: string;
  connectionId: string;
  /** Null for members who may not read versions. */
  comparison: Comparison | null;
  /** Why the versions cannot be compared. */
  problem: string | null;
  record: RecordComparison | null;
  part: PartComparison | null;
  tips: TipComparison | null;
  /** The tree with the open branch. */
  openTree: string | null;
  file: FileComparison | null;
  /** Whether the open file can be restored by itself from the older version, by path. */
  fileParts: RestorableParts;
  /** Versions that can be chosen, newest first. */
  versions: VersionChoice[];
  ribbon: RibbonDay[];
  timeZone: string;
  now: number;
};

/** Compares the two versions in the address. @throws AppError `err.not.found` */
export async function readComparePage(
  services: AccessServices & VaultServices & Uses<"connectorConfig" | "windows">,
  member: Member,
  platform: string,
  address: CompareAddress,
): Promise<ComparePageData> {
  const { itemId, from, to, record, view, part, tree, ref, file } = address;
  const mayRead = await mayManage(services, member, platform);
  const asked = { itemId, page: 0, perPage: CHOICES };
  if (mayRead)
    for (const snapshotId of from ? [from, to] : [to]) openAhead(services, member, { itemId, snapshotId });
  const [item, history] = await Promise.all([
    getItem(services, member, { itemId }),
    mayRead ? listHistory(services, member, asked) : null,
    mayRead && !from ? openBefore(services, member, { itemId, snapshotId: to }) : null,
  ]);
  if (item.platform !== platform) throw new AppError("err.not.found");
  const data: ComparePageData = {
    platform,
    itemId,
    itemName: item.name,
    connectionId: item.connectionId,
    comparison: null,
    problem: null,
    record: null,
    part: null,
    tips: null,
    openTree: tree,
    file: null,
    fileParts: {},
    versions: [],
    ribbon: item.ribbon,
    timeZone: member.timeZone,
    now: services.clock.now(),
  };
  if (history === null) return data;
  data.versions = history.rows.flatMap(({ type, snapshotId, date, sizeBytes, verify, keptUntil }) =>
    type === "backup" && snapshotId !== null
      ? [{ snapshotId, takenAt: date, sizeBytes, verify, keptUntil }]
      : [],
  );
  const at = data.versions.findIndex(({ snapshotId }) => snapshotId === to);
  const beforeId = from ?? data.versions[at + 1]?.snapshotId ?? to;
  const order = { itemId, beforeId, afterId: to };
  try {
    data.comparison = await compareVersions(services, member, order);
    if (record !== null) data.record = await compareRecordOf(services, member, { ...order, path: record });
    if (view !== null && part !== null)
      data.part = await comparePartOf(services, member, { ...order, viewId: view, partId: part });
    if (tree !== null && ref !== null) {
      data.tips = await compareRefOf(services, member, { ...order, tree, ref });
      if (file !== null) {
        data.file = await compareFileOf(services, member, { ...order, tree, ref, path: file });
        const { snapshotId } = data.comparison.before;
        const older = await openForReading(services, member, { itemId, snapshotId });
        const part = partPathOf({ type: "file", tree, ref, path: file });
        data.fileParts = await restorableParts(older, [part]);
      }
    }
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "err.version.unreadable") throw error;
    data.problem = error.message;
  }
  return data;
}
