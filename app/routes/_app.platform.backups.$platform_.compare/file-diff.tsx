import { Link } from "@remix-run/react";
import { Callout } from "#app/components/callout.tsx";
import { compareCopy as copy } from "#app/copy/compare.ts";
import { bytesText } from "#app/format/bytes.ts";
import { visibleName } from "#app/format/visible-text.ts";
import { placeIn } from "#app/version/address.ts";
import type { FileComparison, FileSide } from "#core/comparisons/views.ts";
import type { ComparePageData } from "./queries.server.ts";
import { TextDiff } from "./text-diff.tsx";

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

function FileChange({ file: { path, body, before, after } }: { file: FileComparison }) {
  switch (body.type) {
    case "text":
      return <TextDiff difference={body.difference} label={copy.changesOf(visibleName(path))} />;
    case "same":
      return <Callout>{after?.isExecutable ? copy.madeExecutable : copy.madePlain}</Callout>;
    case "binary":
      return <Callout>{copy.binary}</Callout>;
    case "large":
      return <Callout>{copy.large}</Callout>;
    case "target":
      return (
        <div>
          {before !== null && (
            <p>
              {copy.was} {targetText(before, body.before)}
            </p>
          )}
          {after !== null && (
            <p>
              {copy.is} {targetText(after, body.after)}
            </p>
          )}
        </div>
      );
    default:
      return body satisfies never;
  }
}

function targetText({ kind }: FileSide, target: string | null): string {
  return target === null ? copy.targets.file() : copy.targets[kind](visibleName(target));
}

/** A submodule is a commit of another repository, which this version does not contain. */
const canOpen = (side: FileSide | null) => side !== null && side.kind !== "submodule";

function sizesOf({ before, after }: FileComparison): string {
  const sizes = [before, after].filter(canOpen).map((side) => bytesText(side?.sizeBytes ?? 0));
  return [...new Set(sizes)].join(" → ");
}
