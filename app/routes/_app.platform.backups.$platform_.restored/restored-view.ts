import { restoredCopy as copy } from "#app/copy/restored.ts";
import { capitalised } from "#app/format/counts.ts";
import type { RestoreView } from "#core/restores/views.ts";

/** Rows that a long list shows at first. */
export const SHOWN_ROWS = 50;

/** The outcome in one line. Notes do not make a success less of one; only something missing does. */
export type Verdict = { isComplete: boolean; text: string };

export type FactCard = { id: string; name: string; count: number; note: string };

export type NoteMark = "missing" | "changed" | "impossible";

export type NoteLine = { mark: NoteMark; what: string; reason: string };

/** A thing whose number or id is another one now. */
export type MovedThing = { kind: string; from: string; to: string; url: string | null };

export function verdictOf({ counts }: Pick<RestoreView, "counts">): Verdict {
  const notes = counts.changed + counts.impossible;
  if (counts.missing > 0) return { isComplete: false, text: copy.verdict.missing(counts.missing) };
  return { isComplete: true, text: notes > 0 ? copy.verdict.notes(notes) : copy.verdict.good };
}

/** The sums of the report. A card without anything to count is left out. */
export function factCards(
  { report, counts }: Pick<RestoreView, "report" | "counts">,
  label: string,
): FactCard[] {
  const restored = Object.values(report.restored).filter((count) => count > 0);
  const firstOf = (mark: NoteMark) => copy.cards.first(report[mark][0]?.what ?? "", counts[mark] - 1);
  return [
    {
      id: "restored",
      name: copy.cards.restored,
      count: restored.reduce((sum, count) => sum + count, 0),
      note: copy.cards.kinds(restored.length),
    },
    { id: "changed", name: copy.cards.changed, count: counts.changed, note: firstOf("changed") },
    {
      id: "impossible",
      name: copy.cards.impossible(label),
      count: counts.impossible,
      note: firstOf("impossible"),
    },
    { id: "missing", name: copy.cards.missing, count: counts.missing, note: firstOf("missing") },
  ].filter(({ count }) => count > 0);
}

/** What came back, in the connector's order and words. Kinds without anything are left out. */
export function restoredRows({ report, words }: Pick<RestoreView, "report" | "words">) {
  return words.flatMap(({ kind, one, many }) => {
    const count = report.restored[kind] ?? 0;
    return count > 0 ? [{ kind, name: capitalised(count === 1 ? one : many), count }] : [];
  });
}

/** The notes, with what is missing first. */
export function noteLines({ report }: Pick<RestoreView, "report">): NoteLine[] {
  const marks: NoteMark[] = ["missing", "changed", "impossible"];
  return marks.flatMap((mark) => report[mark].map(({ what, reason }) => ({ mark, what, reason })));
}

/** Where things are now, with the connector's words for their kinds. */
export function movedThings({ report, words }: Pick<RestoreView, "report" | "words">): MovedThing[] {
  const names = new Map(words.map(({ kind, one }) => [kind, capitalised(one)]));
  return report.mapped.map(({ kind, ...line }) => ({ kind: names.get(kind) ?? kind, ...line }));
}

/** The lines in whose kind, old or new number every word of the search occurs. */
export function searchMoved(things: readonly MovedThing[], text: string): readonly MovedThing[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return things;
  return things.filter(({ kind, from, to }) => {
    const line = `${kind}\n${from}\n${to}`.toLowerCase();
    return words.every((word) => line.includes(word));
  });
}
