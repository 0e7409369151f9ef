import { ArrowRight, Minus, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { Button } from "#app/components/button.tsx";
import { restoredCopy } from "#app/copy/restored.ts";
import { visibleText } from "#app/format/visible-text.ts";
import { type NoteLine, type NoteMark, SHOWN_ROWS } from "./restored-view.ts";

const copy = restoredCopy.notes;

/** What is missing, came back in another form, or cannot come back. Only what is missing is red. */
export function RestoredNotes({
  lines,
  isWhole: isAll,
}: {
  lines: readonly NoteLine[];
  /** Show all of them. */
  isWhole: boolean;
}) {
  const [isUnfolded, setIsUnfolded] = useState(false);
  const isWhole = isAll || isUnfolded;
  const shown = isWhole ? lines : lines.slice(0, SHOWN_ROWS);
  return (
    <section aria-label={copy.title}>
      <div className="section-head">
        <h2>{copy.title}</h2>
      </div>
      {lines.length === 0 ? (
        <p className="restored-notes soft">{copy.none}</p>
      ) : (
        <ul className="restored-notes">
          {shown.map(({ mark, what, reason }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: -- two lines may say the same
            <li key={index}>
              <Mark mark={mark} />
              <div>
                <b dir="auto">{visibleText(what)}</b>
                <p dir="auto">{visibleText(reason)}</p>
              </div>
            </li>
          ))}
        </ul>
      )}
      {shown.length < lines.length && (
        <Button size="s" onClick={() => setIsUnfolded(true)}>
          {restoredCopy.showAll(lines.length)}
        </Button>
      )}
    </section>
  );
}

function Mark({ mark }: { mark: NoteMark }) {
  switch (mark) {
    case "missing":
      return <TriangleAlert className="bad-t" role="img" aria-label={copy.marks.missing} />;
    case "changed":
      return <ArrowRight role="img" aria-label={copy.marks.changed} />;
    case "impossible":
      return <Minus role="img" aria-label={copy.marks.impossible} />;
    default:
      return mark satisfies never;
  }
}
