import { restoredCopy as copy } from "#app/copy/restored.ts";
import { capitalised } from "#app/format/counts.ts";
import type { RestoreView } from "#core/restores/views.ts";

/** Rows that a long list shows at first. */
export const SHOWN_ROWS = 50;

/** The outcome in one line. Notes do not make a success less of one; only something missing does. */
export type Verdict = { isComplete: boolean; text: string };

/** A sum of the report; `isGood` = read back and found the same. */
export type FactCard = { id: string; name: string; value: string; note: string; isGood: boolean };

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
  const firstOf = (mark: NoteMark) => copy.cards.first(report[mark][0]?.what ?? "", counts[mark] - 1);
  const cards = [
    { id: "changed", name: copy.cards.changed, count: counts.changed, note: firstOf("changed") },
    {
      id: "impossible",
      name: copy.cards.impossible(label),
      count: counts.impossible,
      note: firstOf("impossible"),
    },
    { id: "missing", name: copy.cards.missing, count: counts.missing, note: firstOf("missing") },
  ].filter(({ count }) => count > 0);
  return [
    ...cameBackCard(report),
    ...cards.map(({ count, ...card }) => ({ ...card, value: count.toLocaleString("en-US"), isGood: false })),
    ...report.compared.map(({ what, same, all }) => ({
      ...{ id: `compared ${what}`, name: copy.cards.compared, note: what },
      ...{ value: copy.cards.of(same, all), isGood: same === all },
    })),
  ];
}

/** How much came back; of how much, if that is known for every kind. */
function cameBackCard({ restored, held }: RestoreView["report"]): FactCard[] {
  const kinds = Object.keys({ ...held, ...restored }).filter((kind) => held[kind] || restored[kind]);
  const sumOf = (counts: Record<string, number>) => kinds.reduce((sum, kind) => sum + (counts[kind] ?? 0), 0);
  const [count, all] = [sumOf(restored), sumOf(held)];
  if (count === 0) return [];
  const isKnown = kinds.every((kind) => (held[kind] ?? 0) >= (restored[kind] ?? 0));
  return [
    {
      id: "restored",
      name: copy.cards.restored,
      value: isKnown ? copy.cards.of(count, all) : count.toLocaleString("en-US"),
      note: copy.cards.kinds(kinds.filter((kind) => restored[kind]).length),
      isGood: false,
    },
  ];
}

/** What came back of what the version holds, if known, in the connector's order and words. */
export function restoredRows({ report, words }: Pick<RestoreView, "report" | "words">) {
  return words.flatMap(({ kind, one, many }) => {
    const count = report.restored[kind] ?? 0;
    const held = report.held[kind] ?? null;
    const most = Math.max(count, held ?? 0);
    return most > 0 ? [{ kind, name: capitalised(most === 1 ? one : many), count, held }] : [];
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
