import { compareCopy } from "#app/copy/compare.ts";
import { capitalised } from "#app/format/counts.ts";
import { dateTimeText } from "#app/format/dates.ts";
import { visibleName, visibleText } from "#app/format/visible-text.ts";
import { TextDiff } from "#app/version/text-diff.tsx";
import type { PartComparison } from "#core/comparisons/views.ts";
import { fieldName, type PartsDifference } from "./part-text.ts";
import type { ComparePageData } from "./queries.server.ts";

const copy = compareCopy.parts;

/** The differences of one part: its fields, then its comments. Long texts are compared line by line. */
export function PartDiff({
  data,
  view,
  part,
}: {
  data: ComparePageData;
  view: PartsDifference;
  part: PartComparison;
}) {
  if (part.fields.length === 0 && part.comments.length === 0) return <p className="meta">{copy.noFields}</p>;
  const date = (at: number) => dateTimeText(at, data.timeZone, data.now);
  const shown = (value: string, isTime: boolean) => (isTime ? date(Number(value)) : visibleText(value));
  return (
    <>
      <dl className="field-diff">
        {part.fields.map(({ field, name, isTime, before, after, text }) => {
          const label = field === null ? visibleName(name) : fieldName(view, field);
          return (
            <div key={`${field} ${name}`}>
              <dt className="soft" dir="auto">
                {capitalised(label)}
              </dt>
              <dd>
                {text !== null ? (
                  <TextDiff difference={text} label={compareCopy.changesOf(label)} />
                ) : (
                  <>
                    {before !== null && <del dir="auto">{shown(before, isTime)}</del>}
                    {after !== null && <ins dir="auto">{shown(after, isTime)}</ins>}
                  </>
                )}
              </dd>
            </div>
          );
        })}
        {part.comments.map(({ path, change, author, at, before, after, text }) => {
          const by = copy.commentBy(author === null ? copy.someone : visibleName(author));
          return (
            <div key={path}>
              <dt className="soft" dir="auto">
                {by}
                {at !== null && <span className="mono-meta"> {date(at)}</span>}
                <span className="sr"> {compareCopy.marks[change]}</span>
              </dt>
              <dd>
                {text !== null ? (
                  <TextDiff difference={text} label={compareCopy.changesOf(by)} />
                ) : (
                  <>
                    {before !== null && <del dir="auto">{visibleText(before)}</del>}
                    {after !== null && <ins dir="auto">{visibleText(after)}</ins>}
                  </>
                )}
              </dd>
            </div>
          );
        })}
      </dl>
      {part.areCommentsCut && <p className="meta">{copy.commentsCut}</p>}
    </>
  );
}
