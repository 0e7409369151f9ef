import { compareCopy as copy } from "#app/copy/compare.ts";
import { visibleName, visibleText } from "#app/format/visible-text.ts";
import { TextDiff } from "#app/version/text-diff.tsx";
import type { RecordComparison } from "#core/comparisons/views.ts";

/** The changed fields of a record. Long texts are compared line by line. */
export function RecordFields({ record }: { record: RecordComparison }) {
  if (record.fields.length === 0) return <p className="meta">{copy.noFields}</p>;
  return (
    <dl className="field-diff">
      {record.fields.map(({ name, before, after, text }) => (
        <div key={name}>
          <dt className="mono-meta">{visibleName(name)}</dt>
          <dd>
            {text !== null ? (
              <TextDiff difference={text} label={copy.changesOf(visibleName(name))} />
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
