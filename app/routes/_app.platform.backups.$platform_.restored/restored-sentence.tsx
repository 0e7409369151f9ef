import { ArrowUpRight } from "lucide-react";
import { restoredCopy } from "#app/copy/restored.ts";
import { dateText, secondText } from "#app/format/dates.ts";
import { visibleName } from "#app/format/visible-text.ts";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import type { RestoreView } from "#core/restores/views.ts";
import type { RestoredPageData } from "./queries.server.ts";

const copy = restoredCopy.what;

/** What was restored, and what it is now. */
export function RestoredSentence({ data: { restore, timeZone, now } }: { data: RestoredPageData }) {
  const { item, part, takenAt, target } = restore;
  return (
    <p className="restored-sentence soft">
      {part !== null && (
        <>
          <span dir="auto">{visibleName(part)}</span> {copy.of}{" "}
        </>
      )}
      <span dir="auto">{visibleName(item.name)}</span>
      {takenAt !== null && (
        <>
          {" "}
          {copy.of}{" "}
          <span className="mono">
            {dateText(takenAt, timeZone, now)} {secondText(takenAt, timeZone)}
          </span>
        </>
      )}{" "}
      {wordsOf(restore)}{" "}
      {hasOwnName(target) && (
        <>
          <b className="medium" dir="auto">
            {visibleName(target.into ?? "")}
          </b>{" "}
          {copy.as}{" "}
        </>
      )}
      {target.url === "" ? (
        <b className="medium">{visibleName(target.name)}</b>
      ) : (
        <a className="link" href={target.url} target="_blank" rel="noreferrer">
          <span dir="auto">{visibleName(target.name)}</span>
          <ArrowUpRight className="icon-s" aria-hidden />
        </a>
      )}
      . {endOf(restore)}
    </p>
  );
}

/** True for a part that has another name than the item it was added to. */
function hasOwnName({ into, name }: RestoreView["target"]): boolean {
  return into !== null && name !== into && !name.endsWith(`/${into}`);
}

function wordsOf({ item, target }: RestoreView): string {
  const kinds = descriptors.find(({ id }) => id === item.platform)?.itemKinds ?? [];
  const kind = kinds.find(({ id }) => id === item.kind)?.one ?? item.kind;
  switch (target.kind) {
    case "new":
      return copy.isNow(kind);
    case "existing":
      return copy.wasAdded(kind);
    case null:
      return copy.wasRestored;
    default:
      return target.kind satisfies never;
  }
}

function endOf({ part, target }: RestoreView): string {
  if (target.kind === "new") return copy.untouched;
  if (target.kind === null) return "";
  return part === null ? copy.kept : `${copy.partOnly} ${copy.kept}`;
}
