import type { ChainReport } from "#core/audit/index.ts";

/** The result of a check of the audit trail as one sentence for a maintainer. */
export function auditVerdict(report: ChainReport): { isGood: boolean; text: string } {
  switch (report.kind) {
    case "whole": {
      const { sealed, waiting, anchors, head } = report;
      return {
        isGood: true,
        text: `The trail is whole: ${sealed} entries in the chain, ${waiting} waiting for it, ${anchors} anchors. It ends with ${head}.`,
      };
    }
    case "anchor-altered":
      return { isGood: false, text: `The anchor ${report.key} in the vault was changed.` };
    case "broken": {
      const entry = report.entryId === null ? "an entry" : `the entry ${report.entryId}`;
      const place = report.seq === null ? "outside the chain" : `at ${report.seq} of the chain`;
      return { isGood: false, text: `The first fault: ${entry} ${place} was ${report.fault}.` };
    }
    default:
      return report satisfies never;
  }
}
