import { z } from "zod";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { PlanSheet } from "#connectors/toolkit/records/plan-sheet.ts";
import { recordPaths } from "../record-paths.ts";
import { lossLine } from "../restore/losses.ts";
import { type CopyCost, measurePage, type PageCost } from "./measure-page.ts";

/** Adds what is on pages and rows to a plan. */
export type ContentCosts = {
  /** Reads a page or row, which stands for so many. */
  add(page: { home: string; isRow: boolean }, times?: number): Promise<PageCost>;
  /**
   * Adds synced copies whose original does not come back; in a part of the pages it is taken to come back.
   *
   * @returns how many files the copies upload, and how many files on the pages are not uploaded for the pages themselves
   */
  finish(isWhole: boolean): { copied: number; left: number };
};

/** Opens the costs of a plan. */
export async function openContentCosts(snapshot: SnapshotView, sheet: PlanSheet): Promise<ContentCosts> {
  const largest = await readLargest(snapshot);
  const originals = new Set<string>();
  const copies: { cost: CopyCost; times: number }[] = [];
  let left = 0;
  let isTooLarge = false;
  return {
    async add(page, times = 1) {
      const cost = await measurePage(snapshot, { ...page, largest });
      const { reads, writes, comments, files, bytes, shown, tooLarge } = cost;
      sheet.spend({ reads, writes, creations: writes - 2 * files + comments, bytes }, times);
      for (const id of cost.originals) originals.add(id);
      for (const copy of cost.copies) copies.push({ cost: copy, times });
      left += (shown + tooLarge) * times;
      isTooLarge ||= tooLarge > 0;
      return cost;
    },
    finish(isWhole) {
      let copied = 0;
      for (const { cost, times } of copies) {
        const { originalId, files, writes, bytes } = cost;
        if (!isWhole || originals.has(originalId)) continue;
        copied += files * times;
        sheet.spend({ writes, bytes }, times);
      }
      if (isTooLarge) sheet.tell(lossLine("fileLarge"));
      return { copied, left };
    },
  };
}

const workspaceSchema = z.object({ maxUploadBytes: z.number().nullable().catch(null) });

/** The largest file that the workspace took when the version was made; unknown = no limit. */
async function readLargest(snapshot: SnapshotView): Promise<number> {
  if ((await snapshot.find(recordPaths.workspace)) === null) return Number.POSITIVE_INFINITY;
  const record = await snapshot.readRecord(recordPaths.workspace);
  return workspaceSchema.parse(record).maxUploadBytes ?? Number.POSITIVE_INFINITY;
}
