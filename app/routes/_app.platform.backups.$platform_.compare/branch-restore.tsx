import { RotateCcw } from "lucide-react";
import { Button } from "#app/components/button.tsx";
import { compareCopy } from "#app/copy/compare.ts";
import { fullDateText, timeText } from "#app/format/dates.ts";
import { visibleName } from "#app/format/visible-text.ts";
import { CloneCommand } from "#app/history/clone-command.tsx";
import type { Comparison, RefDifference } from "#core/comparisons/views.ts";
import { branchCommand, nameBack } from "./branch-command.ts";
import type { ComparePageData } from "./queries.server.ts";

const copy = compareCopy.branch;

/** Brings a deleted or rewritten branch back with git: we never write to a branch that exists. */
export function BranchRestore({
  data: { platform, itemId, timeZone, now },
  before: { snapshotId, takenAt },
  refRow,
}: {
  data: ComparePageData;
  before: Comparison["before"];
  refRow: RefDifference;
}) {
  const name = visibleName(refRow.label);
  const version = `${fullDateText(takenAt, timeZone)} ${timeText(takenAt, timeZone)}`;
  return (
    <CloneCommand
      {...{ platform, itemId, snapshotId, timeZone, now }}
      title={copy.title(name)}
      description={copy.description(version, visibleName(shortName(nameBack(refRow))))}
      label={copy.label}
      command={(url) => branchCommand(url, refRow)}
      trigger={(open) => (
        <Button size="s" aria-label={copy.title(name)} onClick={open}>
          <RotateCcw aria-hidden />
          {copy.restore}
        </Button>
      )}
    />
  );
}

/** `main` for `refs/heads/main`. */
const shortName = (name: string) => name.replace(/^refs\/(heads|tags)\//, "");
