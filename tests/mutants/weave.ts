import { type Mutant, ORM } from "./plant.ts";

/** The name of the function that tells the woven source whether a mutant is active. */
export const SWITCH = "mutantIsOn";

/**
 * Writes all mutants into a source, each inactive until the switch selects its id. So a file is compiled once, however
 * many mutants are tried.
 */
export function weaveMutants(source: string, mutants: readonly (Mutant & { id: number })[]): string {
  const outerFirst = mutants.toSorted((a, b) => a.start - b.start || b.end - a.end);
  const woven = weaveSpan(source, { start: 0, end: source.length }, outerFirst);
  const usesOrm = mutants.some((each) => each.mutated.includes(`${ORM}.`));
  return usesOrm ? `import * as ${ORM} from "drizzle-orm"; ${woven}` : woven;
}

type Span = { start: number; end: number };

function weaveSpan(source: string, span: Span, inside: readonly (Mutant & { id: number })[]): string {
  let woven = "";
  let at = span.start;
  while (inside.length > 0) {
    const [first] = inside as [Mutant & { id: number }];
    const alike = inside.filter((each) => each.start === first.start && each.end === first.end);
    const deeper = inside.filter((each) => each.start < first.end && !alike.includes(each));
    inside = inside.filter((each) => each.start >= first.end);
    woven += source.slice(at, first.start) + choose(alike, weaveSpan(source, first, deeper));
    at = first.end;
  }
  return woven + source.slice(at, span.end);
}

function choose(mutants: readonly (Mutant & { id: number })[], original: string): string {
  const isOn = (id: number) => `globalThis.${SWITCH}?.(${id})`;
  return mutants.reduce(
    (rest, { id, mutated, isStatement }) =>
      isStatement ? `if (!${isOn(id)}) { ${rest} }` : `(${isOn(id)} ? ${mutated} : ${rest})`,
    original,
  );
}
