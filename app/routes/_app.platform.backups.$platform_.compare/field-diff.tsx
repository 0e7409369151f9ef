import { compareCopy as copy } from "#app/copy/compare.ts";
import { visibleName, visibleText } from "#app/format/visible-text.ts";
import type { RecordComparison, TextDifference } from "#core/comparisons/views.ts";

/** The fields of a record that differ; long texts line by line. */
export function RecordFields({ record }: { record: RecordComparison }) {
  return (
    <dl className="field-diff">
      {record.fields.map(({ name, before, after, text }) => (
        <div key={name}>
          <dt className="mono-meta">{visibleName(name)}</dt>
          <dd>
            {text !== null ? (
              <TextDiff difference={text} />
            ) : (
              <>
                {before !== null && <del dir="auto">{visibleText(before)}</del>}
                {after !== null && <ins dir="auto">{visibleText(after)}</ins>}
              </>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

const SIGNS = { same: " ", added: "+", removed: "−" } as const;

function TextDiff({ difference }: { difference: TextDifference }) {
  if (difference === null) return <p className="soft">{copy.notTold}</p>;
  return (
    <div className="diff-view">
      {difference.map((pieces) => (
        <div key={pieces[0]?.line ?? 0} className="diff-view__part">
          {pieces.map(({ change, line, text }) => (
            <p key={`${change}${line}`} className={`is-${change}`}>
              <span aria-hidden>{line}</span>
              <span>{SIGNS[change]}</span>
              <span dir="auto">{visibleText(text)}</span>
            </p>
          ))}
        </div>
      ))}
    </div>
  );
}
