import { Callout } from "#app/components/callout.tsx";
import { compareCopy as copy } from "#app/copy/compare.ts";
import { visibleName } from "#app/format/visible-text.ts";
import type { FileComparison, FileSide } from "#core/comparisons/views.ts";
import { TextDiff } from "./text-diff.tsx";

/** What changed in a file: its lines, or in words what cannot be shown line by line. */
export function FileChange({ file: { path, body, before, after } }: { file: FileComparison }) {
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
