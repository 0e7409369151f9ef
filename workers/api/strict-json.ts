/** Maximum nesting of a body. Our deepest schema has four levels. */
const MAX_DEPTH = 32;

/**
 * Parses JSON and rejects input that parsers handle differently or badly: nesting beyond 32 levels, duplicate members
 * of an object, and `__proto__`. The schemas check numbers beyond doubles (`1e400`) and lone surrogates.
 * @throws SyntaxError with a message for the caller
 */
export function parseStrictJson(text: string): unknown {
  assertPlainStructure(text);
  return JSON.parse(text);
}

/** One pass over the text. Malformed text is not detected here; `JSON.parse` rejects it afterwards. */
function assertPlainStructure(text: string): void {
  /** For each open object its member names so far; null for an array. */
  const open: (Set<string> | null)[] = [];
  const token = /"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\]]/gsy;
  const skip = /[^"{}[\]]+/gy;
  let at = 0;
  while (at < text.length) {
    skip.lastIndex = at;
    if (skip.test(text)) at = skip.lastIndex;
    if (at >= text.length) return;
    token.lastIndex = at;
    const match = token.exec(text);
    if (!match) throw new SyntaxError("The JSON text ends inside a string.");
    at = token.lastIndex;
    const [piece] = match;
    if (piece === "{" || piece === "[") {
      open.push(piece === "{" ? new Set() : null);
      if (open.length > MAX_DEPTH) throw new SyntaxError(`JSON may nest at most ${MAX_DEPTH} levels deep.`);
    } else if (piece === "}" || piece === "]") open.pop();
    else if (match[1] !== undefined) addName(open.at(-1), piece.slice(0, piece.length - match[1].length));
  }
}

function addName(names: Set<string> | null | undefined, literal: string): void {
  if (!names) return;
  const name = JSON.parse(literal) as string;
  if (name === "__proto__") throw new SyntaxError("A member may not be called __proto__.");
  if (names.has(name))
    throw new SyntaxError(`The member ${JSON.stringify(name.slice(0, 50))} is given twice.`);
  names.add(name);
}
