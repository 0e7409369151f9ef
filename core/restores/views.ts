import type { RestoreTargetKind } from "#connectors/contract/descriptor.ts";
import type { RestoreReport } from "./restore-report.schema.ts";

/** A restore that did not fail, with its report. Times are epoch ms. */
export type RestoreView = {
  runId: string;
  /** The item whose version was restored. */
  item: { id: string; name: string; kind: string; platform: string; connectionId: string };
  /** The person who requested it; null = no longer a member, or unknown. */
  by: string | null;
  startedAt: number;
  finishedAt: number;
  /** When the version was taken; null = the order is unreadable. */
  takenAt: number | null;
  /** Title of the only entry that was restored; null = the whole version. */
  part: string | null;
  /**
   * What it is now: the item, or what was made in an existing item, whose name is `into`. The kind is null if the order
   * is unreadable.
   */
  target: { kind: RestoreTargetKind | null; into: string | null; name: string; url: string };
  report: Omit<RestoreReport, "item">;
  /** How many lines each list had, with those that the report has no room for. */
  counts: { changed: number; impossible: number; missing: number };
  /** The names of the kinds in the report, in display order. */
  words: { kind: string; one: string; many: string }[];
};
