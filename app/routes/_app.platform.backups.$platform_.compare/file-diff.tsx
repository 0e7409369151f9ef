import { Link } from "@remix-run/react";
import { compareCopy as copy } from "#app/copy/compare.ts";
import { bytesText } from "#app/format/bytes.ts";
import { RestorePartButton } from "#app/restore/restore-part-button.tsx";
import { placeIn } from "#app/version/address.ts";
import { FileChange } from "#app/version/file-change.tsx";
import { partPathOf } from "#connectors/contract/part-path.ts";
import type { FileComparison, FileSide } from "#core/comparisons/views.ts";
import type { ComparePageData } from "./queries.server.ts";

/** The changes of one file, with links to the whole file in each version. */
export function FileDiff({
  file,
  data,
  place,
}: {
  file: FileComparison;
  data: ComparePageData;
  place: { tree: string; ref: string };
}) {
  const { comparison, itemId, platform } = data;
  const to = (snapshotId: string) => {
    const { tree, ref } = place;
    return placeIn({ platform, itemId, snapshotId }, "files", { in: tree, ref, path: file.path });
  };
  return (
    <div className="file-diff">
      <div className="row between">
        <span className="meta">{sizesOf(file)}</span>
        {comparison !== null && (
          <span className="row meta">
            {canOpen(file.before) && (
              <RestorePartButton
                data={{ ...data, snapshotId: comparison.before.snapshotId, parts: data.fileParts }}
                path={partPathOf({ type: "file", ...place, path: file.path })}
                title={file.path}
                size="s"
              />
            )}
            {canOpen(file.before) && (
              <Link className="link" to={to(comparison.before.snapshotId)}>
                {copy.openOlder}
              </Link>
            )}
            {canOpen(file.after) && (
              <Link className="link" to={to(comparison.after.snapshotId)}>
                {copy.openNewer}
              </Link>
            )}
          </span>
        )}
      </div>
      <FileChange file={file} />
    </div>
  );
}

/** A submodule is a commit of another repository, which this version does not contain. */
const canOpen = (side: FileSide | null) => side !== null && side.kind !== "submodule";

function sizesOf({ before, after }: FileComparison): string {
  const sizes = [before, after].filter(canOpen).map((side) => bytesText(side?.sizeBytes ?? 0));
  return [...new Set(sizes)].join(" → ");
}
