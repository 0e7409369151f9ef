import { compareCopy as copy } from "#app/copy/compare.ts";
import { capitalised } from "#app/format/counts.ts";
import { visibleName, visibleText } from "#app/format/visible-text.ts";
import { TextDiff } from "#app/version/text-diff.tsx";
import type { RecordComparison } from "#core/comparisons/views.ts";
import { fieldWords } from "#core/kernel/field-words.ts";

/** The changed fields of a record. Long texts are compared line by line. */
export function RecordFields({ record }: { record: RecordComparison }) {
  const nameOf = (path: string) => capitalised(visibleName(path.split(".").map(fieldWords).join(", ")));
  if (record.fields.length === 0) return <p className="meta">{copy.noFields}</p>;
  return (
    <dl className="field-diff">
      {record.fields.map(({ name, before, after, text }) => (
        <div key={name}>
          <dt className="soft">{nameOf(name)}</dt>
          <dd>
            {text !== null ? (
              <TextDiff difference={text} label={copy.changesOf(nameOf(name))} />
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
