import { Callout } from "#app/components/callout.tsx";
import { compareCopy as copy } from "#app/copy/compare.ts";
import { visibleText } from "#app/format/visible-text.ts";
import type { TextDifference, TextPiece } from "#core/comparisons/views.ts";

const SIGNS = { same: " ", added: "+", removed: "−" } as const;

/** Compares two texts line by line: added and removed lines, and the changes within a line. */
export function TextDiff({ difference, label }: { difference: TextDifference; label: string }) {
  if (difference === null) return <Callout>{copy.notTold}</Callout>;
  const { parts, isCut, areBreaksChanged } = difference;
  return (
    <>
      {areBreaksChanged && <p className="meta">{copy.breaks}</p>}
      {parts.length === 0 && !areBreaksChanged && <p className="meta">{copy.noText}</p>}
      {parts.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: -- long lines scroll, also by keyboard
        <section className="diff-view" aria-label={label} tabIndex={0}>
          {parts.map((pieces) => (
            <div key={`${pieces[0]?.change}${pieces[0]?.line}`} className="diff-view__part">
              {pieces.map((piece) => (
                <Line key={`${piece.change}${piece.line}`} piece={piece} />
              ))}
            </div>
          ))}
        </section>
      )}
      {isCut && <p className="meta">{copy.linesCut}</p>}
    </>
  );
}

function Line({ piece }: { piece: TextPiece }) {
  const { change, line, text, mark, isCutStart, isCutEnd, isUnended } = piece;
  const [from, to] = mark ?? [text.length, text.length];
  return (
    <p className={`is-${change}`}>
      <span aria-hidden>{line}</span>
      <span aria-hidden>{SIGNS[change]}</span>
      <span dir="auto">
        {change !== "same" && <span className="sr">{copy.marks[change]}: </span>}
        {isCutStart && "…"}
        {shown(text.slice(0, from))}
        {from < to && <mark>{shown(text.slice(from, to))}</mark>}
        {shown(text.slice(to))}
        {isCutEnd && "…"}
        {isUnended && <span className="soft"> {copy.unended}</span>}
      </span>
    </p>
  );
}

/** A lone carriage return is shown as a character, not as a line break. */
function shown(text: string): string {
  return visibleText(text.replaceAll("\r", "⟨000D⟩"));
}
