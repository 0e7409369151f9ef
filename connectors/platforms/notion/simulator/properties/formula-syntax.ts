/** A formula as a tree. Operators are calls of functions that are named like them. */
export type Node =
  | { kind: "value"; value: number | string | boolean }
  | { kind: "property"; name: string }
  | { kind: "call"; name: string; parts: Node[] };

/** Operators from loose to tight. Unary minus and `not` bind tighter than all of them. */
const LEVELS = [["or"], ["and"], ["==", "!="], ["<=", ">=", "<", ">"], ["+", "-"], ["*", "/", "%"]];

const TOKEN = /\s*(\d+(?:\.\d+)?|"(?:[^"\\]|\\.)*"|[A-Za-z_]\w*|==|!=|<=|>=|[-+*/%<>(),])/y;

/** Parses a formula. @throws Error when it is outside the subset that `formula.ts` describes */
export function parseFormula(expression: string): Node {
  const tokens = tokensOf(expression);
  const [node, rest] = level(tokens, 0);
  if (rest.length > 0) throw new Error(`unexpected ${rest[0]}`);
  return node;
}

function tokensOf(expression: string): string[] {
  const tokens: string[] = [];
  const text = expression.trimEnd();
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < text.length; ) {
    const at = TOKEN.lastIndex;
    const found = TOKEN.exec(text);
    if (found === null) throw new Error(`unexpected text at sign ${at}`);
    tokens.push(found[1]!);
  }
  return tokens;
}

type Parsed = [Node, string[]];

function level(tokens: string[], depth: number): Parsed {
  const operators = LEVELS[depth];
  if (operators === undefined) return unary(tokens);
  let [node, rest] = level(tokens, depth + 1);
  while (operators.includes(rest[0] ?? "")) {
    const name = rest[0]!;
    const [right, after] = level(rest.slice(1), depth + 1);
    node = { kind: "call", name, parts: [node, right] };
    rest = after;
  }
  return [node, rest];
}

function unary([first, ...rest]: string[]): Parsed {
  if (first === "-" || (first === "not" && rest[0] !== "(")) {
    const [node, after] = unary(rest);
    return [{ kind: "call", name: first, parts: [node] }, after];
  }
  if (first === "(") {
    const [node, after] = level(rest, 0);
    return [node, closed(after)];
  }
  if (first === undefined) throw new Error("the formula ends too early");
  if (/^\d/.test(first)) return [{ kind: "value", value: Number(first) }, rest];
  if (first.startsWith('"')) return [{ kind: "value", value: unquoted(first) }, rest];
  if (first === "true" || first === "false") return [{ kind: "value", value: first === "true" }, rest];
  if (!/^[A-Za-z_]/.test(first) || rest[0] !== "(") throw new Error(`unexpected ${first}`);
  const [parts, after] = argumentsOf(rest.slice(1));
  if (first !== "prop") return [{ kind: "call", name: first, parts }, after];
  const [named] = parts;
  if (named?.kind !== "value" || typeof named.value !== "string" || parts.length !== 1)
    throw new Error("prop takes the name of a property");
  return [{ kind: "property", name: named.value }, after];
}

function argumentsOf(tokens: string[]): [Node[], string[]] {
  if (tokens[0] === ")") return [[], tokens.slice(1)];
  const [node, rest] = level(tokens, 0);
  if (rest[0] !== ",") return [[node], closed(rest)];
  const [more, after] = argumentsOf(rest.slice(1));
  return [[node, ...more], after];
}

function closed([first, ...rest]: string[]): string[] {
  if (first !== ")") throw new Error("a parenthesis is missing");
  return rest;
}

const unquoted = (text: string) => text.slice(1, -1).replaceAll(/\\(.)/g, "$1");
