import type { RestoredItem, RestoreEvent } from "#connectors/contract/platform-connector.ts";
import { listRoom } from "#core/kernel/list-room.ts";
import { type RestoreReport, unlistedLine } from "./restore-report.schema.ts";

/** Maximum lines and bytes of each list in a report. The report is stored in a row of at most two megabytes. */
const MOST = { lines: 500, bytes: 300_000 };

/** Most comparisons in a report: a connector makes one for each repository or board. */
const MOST_COMPARED = 20;

/** The connector events that go into the report. */
type ReportEvent = Exclude<RestoreEvent, { type: "progress" | "checkpoint" }>;

/**
 * Collects restore events into a report. Lines that do not fit are counted, and the last line of the list gives their
 * number.
 */
export function reportDraft() {
  const report: Omit<RestoreReport, "item"> = {
    restored: {},
    held: {},
    compared: [],
    changed: [],
    impossible: [],
    missing: [],
    mapped: [],
    mappedCount: 0,
  };
  const hasRoom = {
    changed: listRoom(MOST),
    impossible: listRoom(MOST),
    missing: listRoom(MOST),
    mapped: listRoom(MOST),
  };
  const unlisted = { changed: 0, impossible: 0, missing: 0, mapped: 0 };
  return {
    add(event: ReportEvent): void {
      switch (event.type) {
        case "restored":
          report.restored[event.kind] = (report.restored[event.kind] ?? 0) + event.count;
          break;
        case "changed":
        case "impossible":
        case "missing": {
          const { type, ...line } = event;
          if (hasRoom[type](line)) report[type].push(line);
          else unlisted[type] += 1;
          break;
        }
        case "mapped": {
          const { type, ...line } = event;
          if (hasRoom[type](line)) report[type].push(line);
          else unlisted[type] += 1;
          break;
        }
        case "compared": {
          const { type, ...line } = event;
          if (report.compared.length < MOST_COMPARED) report.compared.push(line);
          break;
        }
        case "unlisted":
          unlisted[event.list] += event.count;
          break;
        default:
          event satisfies never;
      }
    },
    finish(
      { externalId, name, fullName, webUrl }: RestoredItem,
      held: RestoreReport["held"] = {},
    ): RestoreReport {
      for (const list of ["changed", "impossible", "missing"] as const) {
        if (unlisted[list] === 0) continue;
        report[list].push(unlistedLine(unlisted[list]));
      }
      report.mappedCount = report.mapped.length + unlisted.mapped;
      return { item: { externalId, name, fullName, webUrl }, ...report, held };
    },
  };
}
