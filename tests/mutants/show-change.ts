const CONTEXT = 24;

/** A change on one line: the text before and after, with some context. */
export function showChange(original: string, mutated: string): string {
  let before = 0;
  while (before < original.length && original[before] === mutated[before]) before += 1;
  let after = 0;
  const longest = Math.min(original.length, mutated.length) - before;
  while (after < longest && original.at(-1 - after) === mutated.at(-1 - after)) after += 1;
  return `${show(original, before, after)} -> ${show(mutated, before, after)}`;
}

function show(text: string, before: number, after: number): string {
  const from = Math.max(0, before - CONTEXT);
  const to = Math.min(text.length, text.length - after + CONTEXT);
  const shown = text.slice(from, to).replace(/\s+/g, " ");
  return `${from > 0 ? "…" : ""}${shown}${to < text.length ? "…" : ""}` || "nothing";
}
